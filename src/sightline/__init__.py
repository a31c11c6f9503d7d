from sightline._version import __version__
