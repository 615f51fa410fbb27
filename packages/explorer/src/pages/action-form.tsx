/** A form generated from an action's `inputSchema`. */
import type { JsonObject } from '@worldwright/client'
import { useEffect, useState } from 'preact/hooks'
import { type FormField, formField } from '../form/form-field.ts'
import { type FormFaults, formFields, inputFrom, valuesFrom } from '../form/form-fields.ts'
import { FormRow } from '../form/form-row.tsx'
import { formWords } from '../form/form-words.ts'
import { words } from '../words/words.ts'

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
  const [faults, setFaults] = useState<FormFaults>({})
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
    const found = isObject ? wrong : { input: 'json' as const }
    setFaults(found)
    if (Object.keys(found).length === 0) onRun(spelt as JsonObject)
  }

  return (
    <form class="action-form" onSubmit={submit} noValidate>
      <h2>{w.input}</h2>
      {isWhole && <p class="soft">{w.noInput}</p>}
      {(isWhole ? [{ ...AS_JSON, label: w.json }] : fields).map((field) => {
        const fault = faults[field.key]
        return (
          <FormRow
            key={field.key}
            field={field}
            value={values[field.key] ?? ''}
            wrong={fault && formWords().faults[fault]}
            onValue={(value) => setValues({ ...values, [field.key]: value })}
          />
        )
      })}
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
