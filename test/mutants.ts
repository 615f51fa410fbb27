/** Faults in request handling, cursors and conditional requests. If one is put into the code, a fast test must fail. */

/** A text replacement in a source file. */
export interface Replacement {
  /** Text that occurs exactly once in the file. */
  readonly from: string
  readonly to: string
}

/** A fault in a source file, and the tests that must detect it. */
export interface Mutant extends Replacement {
  /** Description of the faulty behaviour, which is unique. */
  readonly fault: string
  /** Id of the rule that the fault breaks, as in `docs/spec/rules.json`. */
  readonly rule: string
  readonly file: string
  /** Fast test files, of which at least one must fail. */
  readonly tests: readonly string[]
}

const HANDLER = 'packages/core/src/handler'
const WORLD = 'packages/core/src/world'
const OPERATOR = 'packages/extensions/src/operator'

/** All mutants, grouped by topic: status 304, other conditions, answers, pages, cursors. */
export const MUTANTS: readonly Mutant[] = [
  {
    fault: 'a 304 that keeps Content-Type',
    rule: 'D6-10',
    file: `${HANDLER}/representation.ts`,
    from: "new Set(['content-type', ",
    to: 'new Set([',
    tests: [`${HANDLER}/handler-http.test.ts`],
  },
  {
    fault: 'a 304 to a token that shared caches may keep',
    rule: 'D6-3',
    file: `${HANDLER}/private-caching.ts`,
    from: "if (!caching?.startsWith('public')) return response",
    to: "if (!caching?.startsWith('public') || response.status === 304) return response",
    tests: [`${HANDLER}/private-caching.test.ts`],
  },
  {
    fault: 'If-None-Match of which only the first tag counts',
    rule: 'D6-9',
    file: `${HANDLER}/conditional-request.ts`,
    from: '(ifNoneMatch.match(/(?:W\\/)?"[^"]*"/g) ?? [])',
    to: '(ifNoneMatch.match(/(?:W\\/)?"[^"]*"/g) ?? []).slice(0, 1)',
    tests: [`${HANDLER}/conditional-request.test.ts`],
  },
  {
    fault: 'a write that is carried out and answered 304',
    rule: 'D8-11',
    file: `${HANDLER}/conditional-request.ts`,
    from: "const isRead = request.method === 'GET' || request.method === 'HEAD'",
    to: 'const isRead = true',
    tests: [`${OPERATOR}/writes.test.ts`],
  },
  {
    fault: 'If-Match that a weak tag meets',
    rule: 'D8-11',
    file: `${OPERATOR}/preconditions.ts`,
    from: "tags.filter((tag) => !tag.startsWith('W/')).map((tag) => tag.slice(1, -1))",
    to: "tags.map((tag) => tag.replace('W/', '').slice(1, -1))",
    tests: [`${OPERATOR}/writes.test.ts`],
  },
  {
    fault: 'HEAD with another Content-Length than GET',
    rule: 'D6-11',
    file: `${HANDLER}/dispatcher.ts`,
    from: '({ body: _, ...head }) => head)',
    to: "({ body: _, ...head }) => ({ ...head, headers: { ...head.headers, 'content-length': '0' } }))",
    tests: [`${HANDLER}/handler-http.test.ts`],
  },
  {
    fault: 'a page that has the tag of a page with another limit',
    rule: 'D6-5',
    file: `${HANDLER}/level-one.ts`,
    from: 'page.limit}"`',
    to: 'page.total}"`',
    tests: [`${HANDLER}/level-one.test.ts`],
  },
  {
    fault: 'an answer without Vary',
    rule: 'D6-24',
    file: `${HANDLER}/representation.ts`,
    from: "    vary: 'Accept-Encoding',\n",
    to: '',
    tests: [`${HANDLER}/handler-http.test.ts`],
  },
  {
    fault: 'a 405 without Allow',
    rule: 'D5-26',
    file: `${HANDLER}/methods.ts`,
    from: '{ allow })',
    to: '{})',
    tests: [`${HANDLER}/handler-http.test.ts`],
  },
  {
    fault: 'a 503 without Retry-After',
    rule: 'D5-39',
    file: `${HANDLER}/unavailable.ts`,
    from: "{ 'retry-after': String(seconds) }",
    to: '{}',
    tests: [`${HANDLER}/unavailable.test.ts`],
  },
  {
    fault: 'an unknown type that is a bad request',
    rule: 'D5-23',
    file: `${WORLD}/errors.ts`,
    from: 'unknown_type: 404',
    to: 'unknown_type: 400',
    tests: [`${HANDLER}/handler.test.ts`],
  },
  {
    fault: 'a full last page that has a cursor',
    rule: 'D3-6',
    file: `${WORLD}/world.ts`,
    from: 'page.entities.length + damaged.length > limit',
    to: '(limit > 0 && page.entities.length + damaged.length >= limit)',
    tests: [`${HANDLER}/level-one.test.ts`],
  },
  {
    fault: 'limit=0 that gives a page of the default size',
    rule: 'D3-21',
    file: `${WORLD}/world.ts`,
    from: 'options.limit ?? LIST_DEFAULT',
    to: 'options.limit || LIST_DEFAULT',
    tests: [`${HANDLER}/handler.test.ts`],
  },
  {
    fault: 'a cursor that works in the list of another type',
    rule: 'D3-17',
    file: `${WORLD}/cursor.ts`,
    from: '[VERSION, scope.worldId, scope.type, position]',
    to: '[VERSION, scope.worldId, position]',
    tests: [`${WORLD}/cursor.test.ts`],
  },
  {
    fault: 'a damaged cursor that is taken for another position',
    rule: 'D3-16',
    file: `${WORLD}/cursor.ts`,
    from: 'if (cursorAfter(scope, position) === cursor) return position',
    to: 'if (bytes[0] === VERSION) return position',
    tests: [`${WORLD}/cursor.test.ts`],
  },
  {
    fault: 'a cursor of wp:discover that works with another text',
    rule: 'D4-40',
    file: `${WORLD}/discover-action.ts`,
    from: '[searched ?? null, text ?? null,',
    to: '[searched ?? null,',
    tests: [`${WORLD}/discover-action.test.ts`],
  },
]

/** Applies a replacement to a text. @throws Error if the text to replace does not occur exactly once */
export function mutated(text: string, { from, to }: Replacement): string {
  const [before = '', after, ...more] = text.split(from)
  if (after !== undefined && more.length === 0) return before + to + after
  const times = more.length + (after === undefined ? 0 : 1)
  throw new Error(`This occurs ${times} times, and has to occur once: ${from}`)
}
