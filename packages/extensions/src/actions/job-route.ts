import type { Caller, Operation, Route, WorldRequest, WorldResponse } from '@worldwright/core'
import { WorldFault } from '@worldwright/core'
import { namedValue, type Store } from '@worldwright/core/store'
import { ALIVE_MS, JOBS, type KeptJob } from './jobs.ts'

/** Matches the id of a job. Shorter texts are prefixes of many. */
const ID = /^[0-9a-f-]{36}$/

const STATE = {
  200: {
    description: 'The state of the job.',
    content: {
      'application/json': {
        type: 'object',
        required: ['action', 'state', 'progress'],
        properties: {
          action: { type: 'string' },
          state: { enum: ['running', 'done', 'failed', 'cancelled', 'lost'] },
          progress: { type: 'number', minimum: 0, maximum: 1 },
          message: { type: 'string' },
          output: {},
          error: { type: 'object' },
        },
      },
    },
  },
}

const OPERATIONS = {
  GET: { summary: 'The state of a job', answers: STATE, errors: ['not_found'], needsToken: true },
  DELETE: {
    summary: 'Cancel a job',
    answers: STATE,
    errors: ['not_found'],
    needsToken: true,
  },
} satisfies Record<string, Omit<Operation, 'id'>>

/** Creates the route to get and cancel jobs. Only a job's caller has access. Operation ids begin with `prefix`. */
export function jobRoute(
  apiPath: string,
  prefix: string,
  store: Store,
  callerOf: (request: WorldRequest) => Promise<Caller | undefined>,
): Route {
  async function found(request: WorldRequest, id = '') {
    const name = JOBS + id
    const caller = await callerOf(request)
    const text = caller && ID.test(id) ? (await namedValue(store, name))?.value : undefined
    const job: KeptJob | undefined = text && JSON.parse(text)
    if (text && job && job.caller === caller?.id) return { name, text, job }
    throw new WorldFault('not_found', 'This caller has no such job.', { path: request.target })
  }
  return {
    path: `${apiPath}/jobs/{id}`,
    open: true,
    operations: {
      GET: { ...OPERATIONS.GET, id: `${prefix}Job` },
      DELETE: { ...OPERATIONS.DELETE, id: `${prefix}CancelJob` },
    },
    methods: {
      GET: async (request, { id }) => stateOf((await found(request, id)).job),
      async DELETE(request, { id }) {
        for (;;) {
          const { name, text, job } = await found(request, id)
          if (job.state !== 'running') return stateOf(job)
          const cancelled: KeptJob = { ...job, state: 'cancelled', at: Date.now() }
          const values = { [name]: JSON.stringify(cancelled) }
          if ((await store.write([], { values, ifValues: { [name]: text } })).done) return stateOf(cancelled)
        }
      },
    },
  }
}

function stateOf({ caller: _, at, ...job }: KeptJob): WorldResponse {
  const state = job.state === 'running' && at < Date.now() - ALIVE_MS ? 'lost' : job.state
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ ...job, state }),
  }
}
