/** Proofs that every check of decisions 3 can fail. */
import {
  answers,
  asking,
  edit,
  error,
  list,
  type Proof,
  type Proofs,
  page,
  query,
  swap,
} from '../breakages.ts'

/** Accepts any cursor, and begins again. */
const takesAnyCursor: Proof = answers(error('invalid_cursor'), 200, { entities: [], limit: 1, total: 3 })

/** For each check, a world broken so that exactly this check must notice. */
export const listProofs: Proofs = {
  'D3-1.a': edit(page, (body) => delete body['total']),
  'D3-2.a': edit(page, (body) => (body['entities'] as unknown[]).reverse()),
  'D3-3.a': edit(asking('cursor=', page), (body) => (body['entities'] as unknown[]).shift()),
  'D3-4.a': edit(asking('cursor=', page), (body) => (body['entities'] as unknown[]).pop()),
  'D3-6.a': edit(asking('limit=2', page), (body) => delete body['nextCursor']),
  'D3-6.b': edit(asking('limit=3', page), (body) => {
    body['nextCursor'] = 'abc'
  }),
  'D3-7.a': edit(asking('limit=0', page), (body) => {
    body['nextCursor'] = null
  }),
  'D3-8.a': edit(asking('limit=10', page), (body) => {
    body['padding'] = 'x'.repeat(5 * 1024 * 1024)
  }),
  'D3-11.a': edit(page, (body) => {
    body['nextCursor'] += '=='
  }),
  'D3-12.a': edit(asking('cursor=', page), (body) => {
    body['nextCursor'] += 'A'
  }),
  'D3-16.a': takesAnyCursor,
  'D3-17.a': takesAnyCursor,
  'D3-18.a': takesAnyCursor,
  'D3-20.a': query(/^$/, 'limit=3'),
  'D3-21.a': query('limit=0', 'limit=1'),
  'D3-22.a': swap(asking('limit=11', page), '"limit":10', '"limit":11'),
  'D3-23.a': answers(error('invalid_parameter'), 200),
  'D3-24.a': query('limit=007', 'limit=0'),
  'D3-25.a': query('limit=1&limit=1', 'limit=1'),
  'D3-26.a': query(/&cursor=[^&]*$/, ''),
  'D3-27.a': answers(asking('conformance=', list), 400),
  'D3-28.a': edit(page, (body) => {
    body['total'] = Number(body['total']) + 1
  }),
  'D3-30.a': answers(
    (asked, told) => list(asked, told) && asked.path.includes('cloud') && asked.query === '',
    404,
  ),
  'D3-31.a': answers(error('unknown_type'), 200, { entities: [], limit: 5, total: 0 }),
}
