/** Form that edits or creates an entity, with what the world refuses, and what somebody else has changed meanwhile. */
import type { JsonObject } from '@worldwright/client'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FormField } from '../form/form-field.ts'
import { type FormFaults, inputFrom, valuesFrom } from '../form/form-fields.ts'
import { FormRow } from '../form/form-row.tsx'
import { formWords } from '../form/form-words.ts'
import { FailureView } from '../parts/failure-view.tsx'
import { Safe } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { Buttons } from './buttons.tsx'
import { Conflict } from './conflict.tsx'
import { fieldsFor, isSame } from './content.ts'
import { draftOf, keepDraft } from './drafts.ts'
import { editWords } from './edit-words.ts'
import { PictureDrop } from './picture-drop.tsx'
import { type Edited, finish, type Messages, useSaving } from './use-saving.ts'
import type { Change } from './writes.ts'
import './edit.css'

/** Content from which a new entity starts. */
const EMPTY: JsonObject = { attributes: {} }

/** Form for an entity. `onDone` gets the change that was written, or nothing if the user cancels. */
export function Editor(props: { edited: Edited; heading: string; onDone: (done?: Change) => void }) {
  const { edited, heading, onDone } = props
  const { type, id, schema } = edited
  const { origin } = useOpenWorld().world
  const key = JSON.stringify([origin, type, id])
  const [draft, setDraft] = useState(() => draftOf(key) ?? { base: edited.base, values: undefined })
  const { base } = draft
  const content = base?.content ?? EMPTY
  const fields = useMemo(() => fieldsFor(schema, content, base === undefined), [schema, content])
  const start = useMemo(() => valuesFrom(content, fields), [fields])
  const values = draft.values ?? start
  const { input, faults } = inputFrom(values, fields, start, content)
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const [sending, setSending] = useState(0)
  const saving = useSaving(edited, key, onDone)
  const { conflict, failure, isBusy } = saving
  const save = (from = base, to = input) => void saving.save(from, to)

  function typed(field: FormField, text: string) {
    const next = { base, values: { ...values, [field.key]: text } }
    setDraft(next)
    keepDraft(key, isSame(next.values, start) ? undefined : next)
    saving.clear(field.key)
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setSeen(new Set(fields.map((field) => field.key)))
    const partial = partialDateIn(event.currentTarget as Element)
    if (partial !== undefined || Object.keys(faults).length > 0) saving.fail(partial ?? {})
    else save()
  }

  if (conflict !== undefined && base !== undefined)
    return (
      <Conflict
        {...{ schema, base, conflict, isBusy }}
        onSave={(from, to) => void saving.save(from, to)}
        onBack={saving.back}
        onDiscard={() => finish(key, onDone)}
      />
    )
  const wrongs = wrongsOf(fields, faults, saving.messages, seen)
  const left = ({ target }: FocusEvent) => setSeen(new Set([...seen, (target as HTMLInputElement).name]))
  return (
    <>
      <form class="action-form editor" onSubmit={submit} onFocusOut={left} noValidate aria-label={heading}>
        <Head heading={heading} faulty={saving.faulty} rest={wrongs['']} />
        {fields.map((field) => {
          const row = { field, value: values[field.key] ?? '', onValue: (text: string) => typed(field, text) }
          return (
            <FormRow key={field.key} {...row} wrong={wrongs[field.key]}>
              <PictureDrop {...row} type={type} isSaving={isBusy} onBusy={setSending} />
            </FormRow>
          )
        })}
        <Buttons
          label={editWords().save}
          isBusy={isBusy || sending > 0}
          onCancel={() => finish(key, onDone)}
        />
      </form>
      {/* Not within the form: it may hold the form for a token. */}
      {failure !== undefined && (
        <FailureView failure={failure} origin={origin} onRetry={() => save()} level="part" />
      )}
    </>
  )
}

/** Returns the message of a date that is typed in part: it has no text, as if it were to be removed. */
function partialDateIn(form: Element): Messages | undefined {
  const partial = [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput)
  return partial && { [partial.name]: partial.validationMessage }
}

/**
 * Joins what the page and the world find wrong with each field. A field is judged once it was left or sent. A message about a
 * part of a field belongs to the field, and one about no field has the key `''`.
 */
function wrongsOf(
  fields: readonly FormField[],
  faults: FormFaults,
  messages: Messages,
  seen: ReadonlySet<string>,
): Messages {
  const wrongs: Record<string, string> = {}
  for (const [at, message] of Object.entries(messages)) {
    const key = fields.find((field) => at === field.key || at.startsWith(`${field.key}/`))?.key ?? ''
    wrongs[key] = key === '' && at !== '' ? `${at}: ${message}` : message
  }
  for (const { key } of fields) {
    const fault = faults[key]
    if (fault !== undefined && seen.has(key)) wrongs[key] = formWords().faults[fault]
  }
  return wrongs
}

/** Heading of the form, which gets the focus when the form opens. Later, the first wrong control gets it. */
function Head({ heading, faulty, rest }: { heading: string; faulty: number; rest: string | undefined }) {
  const title = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    const wrong = title.current?.parentElement?.querySelector<HTMLElement>('[aria-invalid=true]')
    const target = wrong ?? title.current
    target?.focus()
  }, [faulty])

  return (
    <>
      <h2 ref={title} tabIndex={-1}>
        {heading}
      </h2>
      {rest !== undefined && (
        <p class="note" role="alert">
          <Safe text={rest} />
        </p>
      )}
    </>
  )
}
