# Two images: `base` runs flows over files, databases and pages that are read without a browser; `browser` has Chromium.
#
#   docker build --target base -t sightline .
#   docker build --target browser -t sightline:browser .

ARG PYTHON=docker.io/library/python:3.13-slim-bookworm

# What is needed to build stays behind: the compiler of the kernels and the sources.
FROM ${PYTHON} AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/*
RUN python3 -m venv /opt/sightline
WORKDIR /source
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY native native
COPY examples examples
COPY src src
ARG EXTRAS=flow,excel,postgres,notify
# An image without the compiled kernels would work, several times slower, and nobody would notice.
ENV SIGHTLINE_NATIVE=1
RUN /opt/sightline/bin/pip install --no-cache-dir ".[${EXTRAS}]" \
 && /opt/sightline/bin/pip uninstall --yes pip

FROM ${PYTHON} AS base
COPY --from=build /opt/sightline /opt/sightline
ENV PATH=/opt/sightline/bin:$PATH \
    PYTHONUNBUFFERED=1
# By its number, which Kubernetes compares for `runAsNonRoot`.
RUN useradd --uid 10001 --create-home sightline \
 && install --directory --owner sightline --group sightline /work
WORKDIR /work
USER 10001
HEALTHCHECK --interval=5m --timeout=30s --start-period=30s CMD ["sightline", "doctor", "--static"]
ENTRYPOINT ["sightline"]
CMD ["--help"]

FROM base AS browser
USER root
# Chromium keeps its sandbox, for which the container must be allowed to make user namespaces. Where it isn't, whoever
# trusts the container alone says so by SIGHTLINE_BROWSER=/usr/local/bin/chromium-without-sandbox.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends chromium-headless-shell fonts-liberation \
 && rm -rf /var/lib/apt/lists/* \
 && printf '#!/bin/sh\nexec chromium-headless-shell --no-sandbox "$@"\n' > /usr/local/bin/chromium-without-sandbox \
 && chmod 755 /usr/local/bin/chromium-without-sandbox
USER 10001
HEALTHCHECK --interval=15m --timeout=60s --start-period=60s CMD ["sightline", "doctor"]
