/** Validates by JSON Schema without generating code, which edge runtimes forbid. */
import { Validator } from '@cfworker/json-schema'
import type { CompileSchema } from '@worldwright/entities'

/** Interprets a schema. Reports the first fault. A string that does not match its `format` is also a fault. */
export const interpret: CompileSchema = (schema) => {
  const validator = new Validator(schema, '2020-12')
  return (value) => {
    // The errors lead from the whole value to the part that is at fault.
    const error = validator.validate(value).errors.at(-1)
    if (!error) return { faults: [], warnings: [] }
    const { instanceLocation, keyword, error: message } = error
    const pointer = decodeURI(instanceLocation.slice('#'.length))
    const reason = keyword === 'required' ? 'required' : keyword === 'type' ? 'wrong_type' : 'not_allowed'
    return { faults: [{ pointer, reason, message }], warnings: [] }
  }
}
