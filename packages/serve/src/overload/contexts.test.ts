/** Tests that queued work runs in the asynchronous context of its own request. */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Extension } from '../../../core/src/handler/extension.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import type { WorldRequest } from '../../../core/src/handler/http.ts'
import { API, DESCRIPTION, JSON_TYPE, ORIGIN } from '../../../core/src/handler/world.fixture.ts'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { withGroupCommit } from '../workers/group-commit.ts'
import { Admission } from './admission.ts'

const users = new AsyncLocalStorage<string>()

/** Records work that ran in the context of the wrong user. */
class Seen {
  readonly wrong: string[] = []
  readonly kinds = new Set<string>()

  note(kind: string, asked: string): void {
    this.kinds.add(kind)
    const user = users.getStore()
    if (user !== asked) this.wrong.push(`${kind} for ${asked} in the context of ${user ?? 'nobody'}`)
  }
}

/** Creates an asynchronous store that records the user of each call. Entities and texts are named after users. */
function noting(seen: Seen): Store {
  const store = createMemoryStore()
  const nothing = createMemoryStore()
  return {
    ...store,
    async get(type, id) {
      seen.note('get', id)
      await turn()
      seen.note('get', id)
      return store.get(type, id)
    },
    async find(query) {
      if (query.text !== undefined) seen.note('find', query.text)
      await turn()
      return nothing.find(query)
    },
    async write(operations, options) {
      // A group commit must not run in the context of one user.
      if (users.getStore() !== undefined) seen.wrong.push(`a commit in the context of ${users.getStore()}`)
      await turn()
      return store.write(operations, options)
    },
  }
}

for (const many of [1, 64, 1_500])
  test(`${many} concurrent requests each run in the context of their own user`, async () => {
    const seen = new Seen()
    const store = noting(seen)
    const grouped = withGroupCommit(store)
    let now = 0
    const admission = new Admission(() => now)
    admission.run('read', {}, () => {})
    // From now on the event loop is late, so all requests queue.
    now = 1_000
    const guard: Extension = () => ({
      name: 'test:guard',
      async admit({ headers }) {
        await turn()
        seen.note('admit', headers['user'] ?? '')
      },
      async admitCall({ headers }) {
        seen.note('admitCall', headers['user'] ?? '')
      },
      routes: [
        {
          path: '/write/{user}',
          methods: {
            async PUT(_, { user = '' }) {
              seen.note('write', user)
              await grouped.write([{ put: { type: 'sol:moon', id: user, attributes: {} } }])
              seen.note('group commit', user)
              return { status: 204, headers: {} }
            },
          },
        },
      ],
    })
    const handler = createWorld({
      ...DESCRIPTION,
      store,
      admission,
      publicUrl: ORIGIN,
      extensions: [guard],
      actions: [
        {
          description: { name: 'test:whoami', title: 'Notes for whom it was called', safe: true },
          async call({ user }) {
            seen.note('action', String(user))
            return { output: '{}', warnings: [] }
          },
        },
      ],
    })
    const ask = (user: string, method: string, target: string, input?: object) => {
      const body = input && Buffer.from(JSON.stringify({ input }))
      const request: WorldRequest = {
        method,
        target,
        headers: { user, ...(body && JSON_TYPE) },
        client: { address: `192.0.2.${user.length}`, connection: Number(user.slice(1)) },
        ...(body && {
          body: (async function* () {
            yield body
          })(),
        }),
      }
      return users.run(user, async () => handler.handle(request))
    }
    const answers = await Promise.all(
      Array.from({ length: many }, (_, index) => `u${index}`).flatMap((user) => [
        ask(user, 'GET', `${API}/entities/sol:moon/${user}`),
        ask(user, 'POST', `${API}/actions/wp:discover`, { text: user }),
        ask(user, 'POST', `${API}/actions/test:whoami`, { user }),
        ask(user, 'PUT', `/write/${user}`),
      ]),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 204, 404])
    assert.deepEqual(seen.wrong.slice(0, 5), [])
    assert.deepEqual([...seen.kinds].sort(), [
      'action',
      'admit',
      'admitCall',
      'find',
      'get',
      'group commit',
      'write',
    ])
  })
