/** A row as it comes: column names in snake_case, bigint as number (amounts stay below 2^53), timestamps as Date. */
export type Row = Record<string, unknown>;

/** The database, as the domain services see it. */
export type Db = {
  /**
   * Runs one statement. While the database restarts it is tried again, for some seconds, as long as it surely did not
   * run; with `repeatable` also when the connection broke and nobody knows. Within the patience of who waits for a read
   * it is repeatable, and tried no longer than that. Throws `AppError` `unavailable` after that.
   */
  query<T extends object = Row>(
    sql: string,
    params?: readonly unknown[],
    options?: { readonly repeatable?: boolean },
  ): Promise<T[]>;
};

/** A database on which several statements can be one. */
export type TransactionalDb = Db & {
  /**
   * Runs several statements in one transaction; what `work` throws undoes it. It is not tried again, and holds a
   * connection all the while: for what has to decide while it holds locks.
   */
  transaction<T>(work: (db: Pick<Db, "query">) => Promise<T>): Promise<T>;
};
