/** `/robots.txt`: what programs that walk the web should leave alone, and where they get everything at once. */
import type { Route } from '@worldwright/server'

/** What crawlers may walk: everything, the page and discovery but not the API, or nothing. */
export type Robots = 'all' | 'page' | 'none'

/** The route. `download` is where all changes are one download; absent where they are not served. */
export function robotsRoute(robots: Robots, apiPath: string, download: string | undefined): Route {
  const disallowed = { all: '', page: `${apiPath}/`, none: '/' }[robots]
  const lines = [
    ...(download === undefined || robots === 'none'
      ? []
      : [`# The whole world is one download: ${download} with Accept: application/x-ndjson.`]),
    'User-agent: *',
    `Disallow:${disallowed === '' ? '' : ` ${disallowed}`}`,
    '',
  ]
  const response = {
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    body: lines.join('\n'),
  }
  return { path: '/robots.txt', open: true, answers: ['text/plain'], methods: { GET: () => response } }
}
