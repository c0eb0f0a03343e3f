"""The sums of ``urlsift count``, in Spark SQL."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

DATES = {"year": 4, "month": 7, "day": 10}  # how many characters of 2006-01-02
KEYS = ("url", "host", "domain", "scheme", "source", "form", "grammar", *DATES)


def count(records: DataFrame, by: Sequence[str] = ("url",)) -> DataFrame:
    """Return how many records have each combination of keys, the most frequent first.

    The columns are count, the keys, first and last (of date), and sources, the number of
    inputs, as in ``urlsift count``. Where a record has no date, host or domain, the column is null.
    A record counts for each grammar that accepts it.
    """
    for key in by:
        if key not in KEYS:
            raise ValueError(f"no key is called {key!r} (there are {', '.join(KEYS)})")
    if not by or len(set(by)) < len(by):
        raise ValueError("no key, or one that is given twice")
    # Names with an underscore: "first" and "count" are functions of SQL.
    columns = [column_of(key).alias(f"_{key}") for key in by]
    rows = records.select(*columns, F.col("date").alias("_date"), F.col("source").alias("_from"))
    keys = [f"_{key}" for key in by]
    sums = rows.groupBy(*keys).agg(
        F.count(F.lit(1)).alias("count"),
        F.min("_date").alias("first"),
        F.max("_date").alias("last"),
        F.count_distinct("_from").alias("sources"),
    )
    ordered = sums.orderBy(F.col("count").desc(), *[F.col(k).asc_nulls_first() for k in keys])
    return ordered.select("count", *[F.col(f"_{key}").alias(key) for key in by], "first", "last", "sources")


def column_of(key: str) -> Column:
    """Return the column of a key."""
    if key == "url":
        return F.coalesce(F.col("target"), F.col("url"))
    if key == "grammar":
        return F.explode_outer("grammars")
    if key in DATES:
        # Days since 1970 have no time zone, so the zone of the session has no effect.
        day = F.date_from_unix_date(F.floor(F.unix_seconds("date") / 86400).cast("int"))
        return F.substring(day.cast("string"), 1, DATES[key])
    return F.col(key)
