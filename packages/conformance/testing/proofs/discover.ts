/** Proofs that every check of decisions 4 can fail. */
import {
  action,
  answers,
  asking,
  type Body,
  edit,
  editIn,
  error,
  header,
  input,
  type Proof,
  type Proofs,
  page,
  swap,
} from '../breakages.ts'

let calls = 0

const nothing = {
  action: 'wp:discover',
  output: { entities: [], limit: 4, total: 0, counts: {}, truncated: false, matched: [] },
}

/** Accepts invalid input. */
const takesAnyInput = answers(error('invalid_input'), 200, nothing)

/** Changes the output of some answers. */
function output(change: (output: Body) => void, part: string | RegExp = ''): Proof {
  return editIn(asking(part, action), 'output', change)
}

/** Flags an answer: correctly at first, then wrongly. */
function flag(name: string): Proof {
  const right = output((body) => {
    body[name] = true
  })
  return {
    ...output((body) => {
      body[name] = false
    }),
    base: right.broken,
  }
}

/** For each check, a world broken so that exactly this check must notice. */
export const discoverProofs: Proofs = {
  'D4-1.a': edit(action, (body) => {
    body['took'] = 1
  }),
  'D4-2.a': edit(action, (body) => {
    body['warnings'] ??= []
  }),
  'D4-3.a': swap(action, '"message":"There is none.",', ''),
  'D4-4.a': answers(error('unknown_action'), 404),
  'D4-5.a': takesAnyInput,
  'D4-6.a': swap(action, '"total":14', '"total":13'),
  'D4-7.a': answers(asking('null', action), 400),
  'D4-8.a': swap(action, 'unknown_field', 'ignored'),
  'D4-9.a': answers(asking('"types":[]'), 200, nothing),
  'D4-10.a': output((body) => {
    body['total'] = 9
  }, '"ref:river","ref:river"'),
  'D4-11.a': takesAnyInput,
  'D4-12.a': takesAnyInput,
  'D4-13.a': swap(action, '/input/types/1', '/types/1'),
  'D4-14.a': input('["conformance:no-such-type"]', '[]'),
  'D4-15.a': answers(asking('"text":"   "'), 200, nothing),
  'D4-16.a': takesAnyInput,
  'D4-17.a': answers(asking('"*"'), 500),
  'D4-19.a': swap(action, '"limit":4', '"limit":5'),
  'D4-20.a': answers(asking('5.0'), 400),
  'D4-21.a': takesAnyInput,
  'D4-22.a': output((body) => {
    body['total'] = 0
  }, '"limit":0'),
  'D4-23.a': output((body) => delete body['matched']),
  'D4-24.a': output((body) => {
    body['entities'] = []
  }, '"text"'),
  'D4-25.a': output((body) => (body['entities'] as unknown[]).reverse()),
  'D4-26.a': output((body) => {
    calls += 1
    if (calls % 2 === 0) body['entities'] = []
  }),
  'D4-27.a': output((body) => {
    body['total'] = (body['entities'] as unknown[]).length
  }),
  'D4-28.a': output((body) => {
    body['counts'] = { ...(body['counts'] as Body), 'ref:cloud': 0 }
  }),
  'D4-29.a': flag('totalIsLowerBound'),
  'D4-30.a': output((body) => {
    body['truncated'] = false
  }),
  'D4-31.a': output((body) => {
    body['padding'] = 'x'.repeat(5 * 1024 * 1024)
  }),
  'D4-32.a': flag('partial'),
  'D4-39.a': output((body) => {
    body['entities'] = []
  }, '"cursor"'),
  'D4-40.a': answers(error('invalid_cursor'), 200, nothing),
  'D4-41.a': output((body) => {
    body['matchedIn'] = (body['entities'] as unknown[]).map(() => [])
  }, '"matchedIn"'),
  'D4-33.a': output((body) => {
    body['matched'] = []
  }),
  'D4-34.a': edit(page, (body) => {
    calls += 1
    body['total'] = calls
  }),
  'D4-35.a': header(action, 'cache-control', 'public'),
}
