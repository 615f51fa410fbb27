/** Row of a generated form: the label, the control, hints and what is wrong. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Safe, Text } from '../parts/text.tsx'
import { Prose } from '../parts/value.tsx'
import { digits, unitAfter, words } from '../words/words.ts'
import type { FormField } from './form-field.ts'
import { formWords } from './form-words.ts'
import { type ControlProps, ReferenceBox } from './reference-box.tsx'

interface RowProps {
  readonly field: FormField
  readonly value: string
  /** Says what is wrong with the value, if anything is. */
  readonly wrong?: string | undefined
  readonly onValue: (value: string) => void
  /** Further controls, below that of the field. */
  readonly children?: ComponentChildren
}

/** Row for one field. Its control has the field's key as `name`. */
export function FormRow(props: RowProps) {
  const { field, wrong } = props
  const id = useId()
  const hints = hintsOf(field)
  return (
    <div class="form-row">
      <label for={id}>
        <Safe text={field.label} />
        {field.control === 'number' && <span class="soft">{unitAfter(field)}</span>}
      </label>
      <Control {...props} common={connected(id, field, wrong !== undefined)} />
      {field.format === 'markdown' && <Preview text={props.value} label={field.label} />}
      {props.children}
      <p id={`${id}-hint`} class="soft hint">
        {field.description !== undefined && <Text text={field.description} most={300} />}
        {hints.length > 0 && (
          <span>
            {' '}
            <Safe text={hints.join(' · ')} />
          </span>
        )}
      </p>
      {wrong !== undefined && (
        <p id={`${id}-wrong`} class="wrong" role="alert">
          <Safe text={wrong} />
        </p>
      )}
    </div>
  )
}

/** Markdown as it will be shown, below a button that opens it. */
function Preview({ text, label }: { text: string; label: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="preview" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Safe text={`${formWords().preview}: ${label}`} />
      </summary>
      {isOpen && <Prose text={text} />}
    </details>
  )
}

function connected(id: string, { key, isRequired }: FormField, isWrong: boolean): ControlProps {
  return {
    id,
    name: key,
    class: 'field',
    'aria-invalid': isWrong,
    'aria-required': isRequired,
    'aria-describedby': isWrong ? `${id}-wrong ${id}-hint` : `${id}-hint`,
  }
}

function Control({ field, value, onValue, common }: RowProps & { common: ControlProps }) {
  const { control } = field
  if (control === 'choice' || control === 'truth')
    return (
      <select {...common} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        <Choices field={field} />
      </select>
    )
  if (control === 'reference' || control === 'references')
    return <ReferenceBox field={field} value={value} onValue={onValue} common={common} />
  const box = {
    ...common,
    value,
    dir: 'auto' as const,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onValue(currentTarget.value),
  }
  if (control === 'words' || control === 'json' || control === 'lines')
    return <textarea {...box} rows={control === 'lines' ? 6 : 3} spellcheck={control === 'lines'} />
  if (control === 'date') return <input {...box} type="date" />
  return (
    <input {...box} type="text" inputMode={control === 'number' ? 'decimal' : 'text'} autocomplete="off" />
  )
}

function Choices({ field }: { field: FormField }) {
  const { action: w, app } = words.value
  const choices = field.control === 'truth' ? [true, false] : field.choices
  const name = (choice: unknown) =>
    choice === true ? app.yes : choice === false ? app.no : typeof choice === 'string' ? choice : undefined
  return (
    <>
      <option value="">{w.notGiven}</option>
      {choices.map((choice) => (
        <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
          {name(choice) ?? JSON.stringify(choice)}
        </option>
      ))}
    </>
  )
}

function hintsOf(field: FormField): string[] {
  const { action: w, about } = words.value
  const text = (bound: number) => digits(bound, field.isGrouped)
  const { minimum, maximum, above, below, pattern } = field
  const range = minimum !== undefined && maximum !== undefined
  return [
    ...(field.control === 'words' ? [w.oneEach] : []),
    ...(field.control === 'json' ? [w.asJson] : []),
    ...(range ? [w.range(text(minimum), text(maximum))] : []),
    ...(minimum !== undefined && !range ? [w.atLeast(text(minimum))] : []),
    ...(maximum !== undefined && !range ? [w.atMost(text(maximum))] : []),
    ...(above === undefined ? [] : [`> ${text(above)}`]),
    ...(below === undefined ? [] : [`< ${text(below)}`]),
    ...(pattern === undefined ? [] : [pattern.slice(0, 100)]),
    ...(field.byDefault === undefined ? [] : [w.byDefault(field.byDefault)]),
    ...(field.isRequired ? [about.required] : []),
  ]
}
