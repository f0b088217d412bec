# Build:  docker build -t queryscape .
# Run:    docker run --rm -p 127.0.0.1:8501:8501 -v queryscape:/data queryscape
# Its log shows the address with the token: docker logs CONTAINER. Publish the port on this machine or to a proxy only.
# Public demo: add -e QUERYSCAPE_DEMO=1

FROM python:3.13-slim AS wheel
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
COPY --from=wheel /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -rf /wheels \
    && useradd --create-home --uid 1000 queryscape \
    && mkdir /data && chown queryscape:queryscape /data
USER queryscape
WORKDIR /home/queryscape
ENV QUERYSCAPE_DATA_DIR=/data
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["queryscape", "--host", "0.0.0.0", "--no-browser", "--port", "8501"]
