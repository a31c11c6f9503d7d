"""Finding the pages: discovery of sites, crawling, facts."""
