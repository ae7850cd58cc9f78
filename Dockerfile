# syntax=docker/dockerfile:1

# Installs the service and builds its models; nothing of this stage but the results reaches the image.
FROM python:3.11-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY service ./service
COPY models ./models
COPY streams ./streams
COPY dashboards ./dashboards
# Two environments: the one that runs, and one more that can also build models.
RUN python -m venv /opt/auscult \
    && /opt/auscult/bin/pip install --constraint constraints.txt ".[cpu]" \
    && python -m venv /opt/builder \
    && /opt/builder/bin/pip install --constraint constraints.txt ".[cpu,build]"
ENV AUSCULT_MODELS__STORE=/opt/models
RUN /opt/builder/bin/auscult models build && /opt/builder/bin/auscult models verify

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="auscult" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --gid 10001 auscult && useradd --uid 10001 --gid auscult --no-create-home auscult
COPY --from=build /opt/auscult /opt/auscult
COPY --from=build /opt/models /opt/models
ENV PATH=/opt/auscult/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    AUSCULT_MODELS__STORE=/opt/models \
    AUSCULT_HTTP__PORT=8080
# By number, so that Kubernetes can see that it is not root.
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"AUSCULT_HTTP__PORT\"]}/livez', timeout=2)"]
ENTRYPOINT ["auscult"]
CMD ["serve"]
