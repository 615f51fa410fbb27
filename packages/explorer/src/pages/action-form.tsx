/** A form generated from an action's `inputSchema`. */
import type { JsonObject } from '@worldwright/client'
import { useEffect, useId, useState } from 'preact/hooks'
import { type FormField, formField, formFields, inputFrom, valuesFrom } from '../form/form-fields.ts'
import { Safe, Text } from '../parts/text.tsx'
import { digits, words } from '../words/words.ts'

/** Control for the input as a whole, used if the schema describes no members. */
const AS_JSON = formField('input', undefined, undefined, false)

/** Form for an action's input. It contains the input in the address until the user edits it. */
export function ActionForm(props: {
  schema: unknown
  input: JsonObject | undefined
  isBusy: boolean
  onRun: (input: JsonObject) => void
}) {
  const { schema, input, isBusy, onRun } = props
  const fields = formFields(schema)
  const isWhole = fields.length === 0
  const [values, setValues] = useState(() => begin(input, fields, isWhole))
  const [faults, setFaults] = useState<readonly string[]>([])
  const { action: w } = words.value
  const given = JSON.stringify(input)

  // Back and Forward change the address, and the form follows it.
  useEffect(() => setValues(begin(input, fields, isWhole)), [given])

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const { input: members, faults: wrong } = inputFrom(values, isWhole ? [AS_JSON] : fields)
    const whole = members['input']
    const spelt = isWhole ? (whole === undefined ? {} : whole) : members
    const isObject = typeof spelt === 'object' && spelt !== null && !Array.isArray(spelt)
    const found = isObject ? wrong : ['input']
    setFaults(found)
    if (found.length === 0) onRun(spelt as JsonObject)
  }

  return (
    <form class="action-form" onSubmit={submit} noValidate>
      <h2>{w.input}</h2>
      {isWhole && <p class="soft">{w.noInput}</p>}
      {(isWhole ? [{ ...AS_JSON, label: w.json }] : fields).map((field) => (
        <FormRow
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          isWrong={faults.includes(field.name)}
          onValue={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <button type="submit" class="button primary" disabled={isBusy}>
        {isBusy ? w.running : w.run}
      </button>
    </form>
  )
}

function begin(input: JsonObject | undefined, fields: readonly FormField[], isWhole: boolean) {
  return isWhole
    ? { input: input === undefined ? '' : JSON.stringify(input, null, 2) }
    : valuesFrom(input, fields)
}

interface RowProps {
  field: FormField
  value: string
  isWrong: boolean
  onValue: (value: string) => void
}

function FormRow(props: RowProps) {
  const { field, isWrong } = props
  const id = useId()
  const { action: w, about } = words.value
  const hints = [
    ...(field.control === 'words' ? [w.oneEach] : []),
    ...(field.control === 'json' ? [w.asJson] : []),
    ...rangeOf(field),
    ...(field.byDefault === undefined ? [] : [w.byDefault(field.byDefault)]),
    ...(field.isRequired ? [about.required] : []),
  ]
  return (
    <div class="form-row">
      <label for={id}>
        <Safe text={field.label} />
      </label>
      <Control {...props} id={id} />
      <p id={`${id}-hint`} class="soft hint">
        {field.description !== undefined && <Text text={field.description} most={300} />}
        {hints.length > 0 && <span> {hints.join(' · ')}</span>}
      </p>
      {isWrong && (
        <p id={`${id}-wrong`} class="wrong" role="alert">
          {w.wrong}
        </p>
      )}
    </div>
  )
}

function Control({ field, value, isWrong, onValue, id }: RowProps & { id: string }) {
  const { action: w, app } = words.value
  const common = {
    id,
    class: 'field',
    value,
    'aria-invalid': isWrong,
    'aria-required': field.isRequired,
    'aria-describedby': isWrong ? `${id}-wrong ${id}-hint` : `${id}-hint`,
  }
  if (field.control === 'choice' || field.control === 'truth') {
    const choices = field.control === 'truth' ? [true, false] : field.choices
    return (
      <select {...common} onChange={(event) => onValue(event.currentTarget.value)}>
        <option value="">{w.notGiven}</option>
        {choices.map((choice) => (
          <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
            {choice === true
              ? app.yes
              : choice === false
                ? app.no
                : typeof choice === 'string'
                  ? choice
                  : JSON.stringify(choice)}
          </option>
        ))}
      </select>
    )
  }
  if (field.control === 'words' || field.control === 'json') {
    return (
      <textarea
        {...common}
        rows={3}
        dir="auto"
        spellcheck={false}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )
  }
  return (
    <input
      {...common}
      dir="auto"
      type="text"
      inputMode={field.control === 'number' ? 'decimal' : 'text'}
      maxLength={field.maxLength}
      autocomplete="off"
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  )
}

function rangeOf({ minimum, maximum, isGrouped }: FormField): string[] {
  const { action: w } = words.value
  const text = (bound: number) => digits(bound, isGrouped)
  if (minimum !== undefined && maximum !== undefined) return [w.range(text(minimum), text(maximum))]
  if (minimum !== undefined) return [w.atLeast(text(minimum))]
  return maximum === undefined ? [] : [w.atMost(text(maximum))]
}
