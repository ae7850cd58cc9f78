# syntax=docker/dockerfile:1
# The image for CPUs: docker build --tag auscult:0.1.0 .
# The image for GPUs: docker build --tag auscult:0.1.0-cuda --build-arg VARIANT=cuda .
# `make image-check` runs the commands of the stage `build` in an empty folder, where there is no Docker.
ARG PYTHON=3.11.14-slim-bookworm
ARG VARIANT=cpu

# Installs the service and builds its models; nothing of this stage but the results reaches the image.
FROM python:${PYTHON} AS build
ARG VARIANT
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY deploy/image ./deploy/image
COPY service ./service
COPY models ./models
COPY streams ./streams
COPY dashboards ./dashboards
# What runs: no pip, nothing that builds.
RUN python -m venv --without-pip /opt/venv \
    && python -m pip --python /opt/venv/bin/python install --constraint constraints.txt \
        --requirement "deploy/image/${VARIANT}.txt" .
# What builds the models, and stays behind.
RUN python -m venv /opt/builder \
    && /opt/builder/bin/python -m pip install --constraint constraints.txt ".[cpu,build]"
ENV XDG_CACHE_HOME=/opt/cache
RUN /opt/builder/bin/auscult models build && /opt/builder/bin/auscult models verify

FROM python:${PYTHON} AS runtime-cpu

FROM python:${PYTHON} AS runtime-cuda
ENV LD_LIBRARY_PATH=/opt/venv/lib/python3.11/site-packages/nvidia/cu13/lib:/opt/venv/lib/python3.11/site-packages/nvidia/cudnn/lib \
    NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility

# hadolint ignore=DL3006
FROM runtime-${VARIANT}
LABEL org.opencontainers.image.title="auscult" \
      org.opencontainers.image.description="Reads live telehealth transcripts and tells people which calls were misheard." \
      org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --gid 10001 auscult \
    && useradd --uid 10001 --gid auscult --no-create-home --no-log-init --shell /usr/sbin/nologin auscult
COPY --from=build /opt/venv /opt/venv
COPY --from=build /opt/cache /opt/cache
# The models are found where the service looks for them by itself, so that settings of yours can name another place.
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    XDG_CACHE_HOME=/opt/cache
# By number, so that Kubernetes can see that it is not root.
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=180s --start-interval=2s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ.get(\"AUSCULT_HTTP__PORT\", 8080)}/livez', timeout=2)"]
ENTRYPOINT ["auscult"]
CMD ["serve"]
