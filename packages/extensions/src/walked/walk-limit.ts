/** Default maximum number of entities to read from a world that answers no queries, since they are kept in memory. */
export const WALK_LIMIT = 200_000
