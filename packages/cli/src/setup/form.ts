/**
 * Corrections as fields of a form, named by the numbers of table and column: `0.type`, `0.2.label`. Values are numbers of
 * columns, too, as browsers change the line ends of values.
 */
import { pointerSteps } from '@worldwright/client/protocol'
import {
  type ColumnChoice,
  DefinitionFault,
  KINDS,
  type Kind,
  type ProposedTable,
  type TableChoice,
} from '@worldwright/publish'

/** Returns the corrections in a form that shows these tables. */
export function choicesFrom(form: URLSearchParams, tables: readonly ProposedTable[]): TableChoice[] {
  const text = (name: string) => form.get(name)?.trim() ?? ''
  return tables.map(({ survey, source }, at): TableChoice => {
    const type = text(`${at}.type`)
    if (source.attributes === undefined) return type === '' ? {} : { type }
    const column = (no: number): ColumnChoice => ({
      label: text(`${at}.${no}.label`),
      unit: text(`${at}.${no}.unit`),
      missing: text(`${at}.${no}.missing`)
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
      kind: Object.keys(KINDS).find((kind): kind is Kind => kind === text(`${at}.${no}.kind`)),
      isLeftOut: text(`${at}.${no}.out`) !== '',
      isReference: text(`${at}.${no}.reference`) !== 'off',
    })
    const columns = new Map([...survey.survey.columns.keys()].map((name, no) => [name, column(no)]))
    const names = [...survey.survey.columns.keys()]
    const named = (field: string) => names[Number(text(`${at}.${field}`) || -1)]
    const id = named('id')
    const titleColumn = named('titleColumn') ?? ''
    return { type, title: text(`${at}.title`), titleColumn, columns, ...(id !== undefined && { id }) }
  })
}

/** Fields for members of a source. */
const FIELDS: Readonly<Record<string, string>> = { type: 'type', id: 'id', title: 'titleColumn' }

/** Returns the message for each field that problems of a definition are about, and one for all under the empty name. */
export function messagesOf(error: Error, tables: readonly ProposedTable[] = []): ReadonlyMap<string, string> {
  const fault = error.cause instanceof DefinitionFault ? error.cause : error
  const fields = (fault instanceof DefinitionFault ? fault.problems : []).flatMap(({ pointer, message }) => {
    const [list, at = '', member = '', column = ''] = pointerSteps(pointer)
    const columns = list === 'sources' ? tables[Number(at)]?.survey.survey.columns : undefined
    const no = member === 'cells' ? [...(columns?.keys() ?? [])].indexOf(`${column}`) : -1
    const field = no < 0 ? FIELDS[member] : no
    return columns && field !== undefined ? [[`${at}.${field}`, message] as const] : []
  })
  return new Map([['', fields.length > 0 ? 'Correct what is marked below.' : error.message], ...fields])
}
