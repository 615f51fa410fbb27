/** Drafts of this tab: what was typed but not saved stays when the user visits another page of the explorer. */
import type { FormValues } from '../form/form-fields.ts'
import type { Version } from './content.ts'

/** Texts of a form, and the state of the entity from which they started. */
export interface Draft {
  readonly base: Version | undefined
  readonly values: FormValues
}

const drafts = new Map<string, Draft>()

/** Returns the draft with a key. */
export function draftOf(key: string): Draft | undefined {
  return drafts.get(key)
}

/** Keeps a draft, or drops it if it is undefined. While there are drafts, the browser asks before it closes the tab. */
export function keepDraft(key: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(key)
  else drafts.set(key, draft)
  if (drafts.size > 0) window.addEventListener('beforeunload', warn)
  else window.removeEventListener('beforeunload', warn)
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
