"""Finds the URLs in files of a cluster: the program urlsift, run by Spark.

    import urlsift_spark
    found = urlsift_spark.search(spark, ["s3://archive/2024/"], urlsift="urlsift")
    found.records.groupBy("host").count().show()
    found.errors.show()

``extract`` returns the records alone. ``count`` computes from records the rows that ``urlsift
count`` prints.
"""

from .counts import count
from .process import ProgramError
from .search import Found, extract, search

__all__ = ["Found", "ProgramError", "count", "extract", "search"]
