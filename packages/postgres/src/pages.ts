import type { QueryResultRow } from 'pg'
import type { Session } from './session.ts'

/** Maximum number of rows per page. */
export const PAGE = 2_000

/** Yields the rows in pages, prefetching the next page. A transaction can run only one such query at a time. */
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
    // A failure is reported where the page is awaited.
    next.catch(() => {})
    yield page
  }
  session.send('CLOSE walked')
}
