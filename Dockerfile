# Where a locked package has no wheel for the platform, it is compiled in this stage.
FROM python:3.11-bookworm AS packages
RUN python -m venv /opt/venv
COPY requirements.txt /tmp/requirements.txt
RUN /opt/venv/bin/python -m pip install --no-cache-dir --require-hashes -r /tmp/requirements.txt

FROM python:3.11-slim-bookworm
RUN useradd --create-home --uid 10001 foldtable \
    && install -d -o foldtable -g foldtable -m 700 /data
COPY --from=packages /opt/venv /opt/venv
COPY . /srv/foldtable
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONPATH=/srv/foldtable \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
WORKDIR /srv/foldtable
USER foldtable
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "service", "up", "--host", "0.0.0.0", "--port", "8000", "--data", "/data"]
