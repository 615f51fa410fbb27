/** Saves a form of an entity, and sorts the answers of the world. */
import { isWorldError, type JsonObject } from '@worldwright/client'
import { isObject } from '@worldwright/extensions/shown'
import { useState } from 'preact/hooks'
import { formWords } from '../form/form-words.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { type Failure, failureFrom } from '../world/failure.ts'
import type { Clash } from './conflict.tsx'
import { isSame, type Version } from './content.ts'
import { keepDraft } from './drafts.ts'
import { editWords } from './edit-words.ts'
import { type Change, change, noteRefusal, present } from './writes.ts'

/** Entity that a form edits. Without `base`, it is a new one. */
export interface Edited {
  readonly type: string
  readonly id: string
  readonly schema: unknown
  readonly base: Version | undefined
}

/** Messages at fields, by key. Those that belong to no field have the key `''`. */
export type Messages = Readonly<Record<string, string>>

/** Closes a form and drops its draft. `done` is the change that was written, if any. */
export function finish(key: string, onDone: (done?: Change) => void, done?: Change) {
  keepDraft(key, undefined)
  onDone(done)
}

interface Saved {
  readonly isBusy?: boolean
  readonly messages?: Messages
  readonly failure?: Failure
  readonly conflict?: Clash
}

/** Saves the content of a form, and sorts what the world answers: messages at fields, a conflict, or a failure. */
export function useSaving({ type, id }: Edited, key: string, onDone: (done?: Change) => void) {
  const { world } = useOpenWorld()
  const [state, setState] = useState<Saved>({})
  /** Number of times that the form was found wrong, so that the first wrong control gets the focus each time. */
  const [faulty, setFaulty] = useState(0)

  function fail(messages: Messages) {
    setState({ messages })
    setFaulty((count) => count + 1)
  }

  async function save(from: Version | undefined, to: JsonObject) {
    if (from !== undefined && isSame(from.content, to)) return finish(key, onDone)
    setState(({ conflict }) => ({ isBusy: true, ...(conflict && { conflict }) }))
    const { id: typed, ...content } = to
    const ref = { type, id: from === undefined && id === '' && typeof typed === 'string' ? typed : id }
    try {
      finish(key, onDone, await change(world, ref, from, content))
    } catch (error) {
      const refused = await refusalOf(error).catch((other: unknown) => ({ failure: failureFrom(other) }))
      if ('messages' in refused && refused.messages !== undefined) fail(refused.messages)
      else setState(refused)
    }

    async function refusalOf(error: unknown): Promise<Saved> {
      const { code, status, details } = isWorldError(error) ? error : NOT_SAID
      if (status === 412 && from === undefined && id === '') return { messages: { id: editWords().idTaken } }
      if (status === 412 || code === 'entity_not_found')
        return { conflict: { theirs: await present(world, ref), mine: content } }
      if (status === 403) noteRefusal(world, type)
      const { fields } = details
      return status === 422 && Array.isArray(fields) && fields.some(isObject)
        ? { messages: messagesOf(fields) }
        : { failure: failureFrom(error) }
    }
  }

  function clear(field: string) {
    const { [field]: _, '': __, ...messages } = state.messages ?? {}
    setState({ messages })
  }

  const { isBusy = false, messages = {}, failure, conflict } = state
  return { isBusy, messages, failure, conflict, faulty, fail, save, clear, back: () => setState({}) }
}

/** Members of an error that is not the world's answer. */
const NOT_SAID = { code: '', status: 0, details: {} as Record<string, unknown> }

/** Returns the world's messages by the key of the field, from the faults of an answer. Plain words replace a pattern. */
export function messagesOf(faults: readonly unknown[]): Messages {
  // Without a prototype, so that any name is a key.
  const messages: Record<string, string> = Object.create(null)
  for (const fault of faults.filter(isObject)) {
    const key = String(fault['pointer'] ?? '').slice(1)
    const isPattern = fault['reason'] === 'malformed' && /\bpattern\b/.test(`${fault['message']}`)
    messages[key] ??= isPattern ? formWords().faults.pattern : String(fault['message'])
  }
  return messages
}
