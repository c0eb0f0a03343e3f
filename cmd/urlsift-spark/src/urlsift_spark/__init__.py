"""Finds the URLs in files of a cluster: the program urlsift, run by Spark.

    import urlsift_spark
    found = urlsift_spark.search(spark, ["s3://archive/2024/"], urlsift="urlsift")
    found.records.groupBy("host").count().show()
    found.errors.show()

``extract`` returns the records alone. ``search_column`` and ``extract_column`` read the texts of
a column. ``write`` writes the result of a search to files, in steps, and continues a run that has
ended. ``count`` computes from records the rows that ``urlsift count`` prints.
"""

from .counts import count
from .output import AppendError, write
from .process import ProgramError
from .search import Found, extract, extract_column, search, search_column

__all__ = [
    "AppendError",
    "Found",
    "ProgramError",
    "count",
    "extract",
    "extract_column",
    "search",
    "search_column",
    "write",
]
