/** Conditional writes, each one of many, and their fates. */
import type { JsonObject, World } from '@worldwright/client'
import { failureFrom } from '../world/failure.ts'
import type { Version } from './content.ts'
import { editWords } from './edit-words.ts'
import { messagesOf } from './use-saving.ts'
import { write } from './writes.ts'

/** Write that leads an entity from one state to another, as `write` does. */
export interface Step {
  readonly id: string
  readonly name: string
  readonly from: Version | undefined
  readonly to: JsonObject | undefined
}

/** Fate of a step, with the reason if it was not taken, and the step that undoes it. */
export interface Outcome {
  readonly step: Step
  readonly fate: 'done' | 'unchanged' | 'conflict' | 'refused' | 'unsure'
  readonly reason?: string
  /** Step back, if the entity was changed. */
  readonly undo?: Step
  /** True if the next step would fail alike. */
  readonly isLast?: boolean
}

/** Takes one step. Never rejects. */
export async function takeStep(world: World, type: string, step: Step): Promise<Outcome> {
  const { id, from, to } = step
  try {
    // Also written if nothing would change: another value may be there by now, which is a conflict.
    const after = await write(world, { type, id }, from, to)
    if (from && after?.revision === from.revision) return { step, fate: 'unchanged' }
    return { step, fate: 'done', undo: { ...step, from: after, to: from?.content } }
  } catch (error) {
    const { status, code, details, message } = failureFrom(error)
    const { fields, revision } = details
    if (status === 412 || code === 'entity_not_found')
      return { step, fate: 'conflict', reason: editWords()[revision === undefined ? 'gone' : 'changed'] }
    const said = Array.isArray(fields) ? Object.entries(messagesOf(fields)) : []
    return {
      step,
      // Without an answer, or after a fault of the world, the write may have been applied.
      fate: status === 0 || status >= 500 ? 'unsure' : 'refused',
      reason: said.map((pair) => pair.join(': ')).join('; ') || message,
      isLast: ![400, 409, 413, 422].includes(status),
    }
  }
}
