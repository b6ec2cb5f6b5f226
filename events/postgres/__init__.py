"""The store on PostgreSQL: any number of processes write to it, each append within one partition."""

from events.postgres.recorder import PostgresReader, PostgresRecorder
