/** Rows of a long answer, in pages. */
import type { QueryResultRow } from 'pg'
import type { Session } from './session.ts'

/** So many rows are fetched at a time. */
export const PAGE = 2_000

/** The rows in pages: while one is used, the next is already under way. One walk at a time in a transaction. */
export async function* pages<Row extends QueryResultRow>(
  session: Session,
  sql: string,
  values: readonly unknown[] = [],
): AsyncGenerator<Row[]> {
  session.send(`DECLARE walked NO SCROLL CURSOR FOR ${sql}`, values)
  const fetch = () => session.query<Row>(`FETCH ${PAGE} FROM walked`)
  let next = fetch()
  for (;;) {
    const page = await next
    if (page.length === 0) break
    next = fetch()
    // Its failure is heard of where it is waited for.
    next.catch(() => {})
    yield page
  }
  session.send('CLOSE walked')
}
