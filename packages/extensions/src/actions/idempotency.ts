/** Idempotency keys: calls of one caller with the same key take effect once, and all get the first result (decisions 9). */
import type { JsonObject } from '@worldwright/client/protocol'
import type { ActionAnswer, ActionContext } from '@worldwright/core'
import { WorldFault } from '@worldwright/core'
import { sha256, type ValuesChange } from '@worldwright/core/store'

/** Retention time of a result, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** Prefix of the values that hold calls. They are not content, so they change no version, and are not replicated. */
const PREFIX = '~~call/'

/** Number of leading digest characters that name a slice: each keyed call reads its slice, 1/4096 of all kept calls. */
const SLICE_CHARACTERS = 2

/** A call with a key: running if it has no answer, and forgotten after `until` (milliseconds since 1970). */
interface KeptCall {
  readonly body: string
  readonly until: number
  readonly answer?: ActionAnswer
}

/**
 * Runs a call once per caller, action and key. The call is claimed first; the write that applies its effects replaces the
 * claim with the answer, so that the effects and the answer are stored together or not at all. A call that fails releases
 * the claim; the claim of a process that died ends with the deadline of its call. Each call also forgets expired ones.
 * @param run runs the call, and stores the given values together with its effects
 * @throws WorldFault `idempotency_mismatch` for another input under the same key, `idempotency_in_progress` while the first
 * call runs
 */
export async function callOnce(
  action: string,
  input: JsonObject,
  asked: ActionContext,
  run: (valuesOf: (answer: ActionAnswer) => ValuesChange) => Promise<ActionAnswer>,
): Promise<ActionAnswer> {
  const { idempotencyKey, writes, isPreview, signal } = asked
  if (idempotencyKey === undefined || writes === undefined || isPreview) return run(() => ({}))
  const { store } = writes
  const caller = await asked.caller()
  const digest = sha256(JSON.stringify([caller?.id, action, idempotencyKey]))
  const name = PREFIX + digest
  const body = sha256(JSON.stringify(input))
  const now = Date.now()

  const slice = await store.values(PREFIX + digest.slice(0, SLICE_CHARACTERS), { signal })
  const expired: Record<string, string> = {}
  for (const [kept, { value }] of slice) if (callFrom(value).until <= now) expired[kept] = value
  const before = slice.get(name)?.value
  if (before !== undefined && !(name in expired)) {
    const known = callFrom(before)
    if (known.body !== body)
      throw new WorldFault('idempotency_mismatch', 'This Idempotency-Key was used with another input.')
    if (known.answer) return known.answer
    throw inProgress()
  }

  const claim = textOf({ body, until: asked.deadline.getTime() })
  const forgotten = Object.fromEntries(Object.keys(expired).map((kept) => [kept, undefined]))
  const claimed = await store.write([], {
    values: { ...forgotten, [name]: claim },
    ifValues: { ...expired, [name]: before },
  })
  if (!claimed.done) {
    if ('failedValue' in claimed && claimed.failedValue === name) throw inProgress()
    // Another call has removed an expired value, or replaced it with a claim of its own.
    return callOnce(action, input, asked, run)
  }
  try {
    return await run((answer) => ({
      values: { [name]: textOf({ body, until: now + KEPT_MS, answer }) },
      ifValues: { [name]: claim },
    }))
  } catch (error) {
    // If the write was applied although it reported an error, the claim is gone, and its answer stays.
    try {
      await store.write([], { values: { [name]: undefined }, ifValues: { [name]: claim } })
    } catch {}
    throw error
  }
}

function inProgress(): WorldFault {
  return new WorldFault(
    'idempotency_in_progress',
    'A call with this Idempotency-Key is running.',
    {},
    { 'retry-after': '1' },
  )
}

function callFrom(text: string): KeptCall {
  return JSON.parse(text)
}

function textOf(call: KeptCall): string {
  return JSON.stringify(call)
}
