# `make image-steps` does what stands here without a container engine.

# Where a locked package has no wheel for the platform, it is compiled in this stage, which the image leaves behind.
FROM python:3.11-bookworm AS packages
RUN python -m venv /opt/venv
COPY requirements.txt /tmp/requirements.txt
RUN /opt/venv/bin/python -m pip install --no-cache-dir --require-hashes -r /tmp/requirements.txt

FROM python:3.11-slim-bookworm
# What links show of a table is drawn with the letters of these. A stable Debian keeps their versions, by its signatures.
RUN apt-get update \
    && apt-get install -y --no-install-recommends fonts-dejavu-core fonts-ipaexfont-gothic \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin --uid 10001 foldtable \
    && install -d -o foldtable -g foldtable -m 700 /data
COPY --from=packages /opt/venv /opt/venv
COPY domain /srv/foldtable/domain
COPY events /srv/foldtable/events
COPY replays /srv/foldtable/replays
COPY bots /srv/foldtable/bots
COPY service /srv/foldtable/service
# What messages tell to type is there: ./foldtable, or foldtable from any folder.
COPY foldtable /srv/foldtable/foldtable
RUN ln -s /srv/foldtable/foldtable /usr/local/bin/foldtable
# The root is read-only where it runs: what is compiled is compiled here.
RUN /opt/venv/bin/python -m compileall -q /srv/foldtable
ENV PATH=/opt/venv/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONPATH=/srv/foldtable \
    FOLDTABLE_PYTHON=/opt/venv/bin/python \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
WORKDIR /srv/foldtable
# By number: who only starts images of users that are not root can tell.
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "service", "up", "--host", "0.0.0.0", "--port", "8000", "--data", "/data"]
