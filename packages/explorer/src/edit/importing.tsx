/** Form that imports a CSV or TSV file into a type: a preview of the table as it was read, and then the writes. */
import type { World } from '@worldwright/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ShortText } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { count } from '../words/words.ts'
import { Buttons } from './buttons.tsx'
import { isSame } from './content.ts'
import { editWords } from './edit-words.ts'
import { Result, useRun } from './run.tsx'
import type { Rows } from './several.tsx'
import { type Table, type TableRow, tableFrom } from './table.ts'
import { type Outcome, takeStep } from './take-step.ts'
import { present } from './writes.ts'

/** Maximum numbers of rows and bytes of a file, whose rows are written one by one. */
const [MOST_ROWS, MOST_BYTES] = [2_000, 5_000_000]
/** Number of rows in the preview. */
const SHOWN = 5

/** Form for one file. The list is read again after each run of writes. `onDone` is called when the form closes. */
export function Importing(props: { type: string; schema: unknown; walk: Rows; onDone: () => void }) {
  const { type, schema, walk, onDone } = props
  const { world } = useOpenWorld()
  const { run, start, takeSteps } = useRun(type)
  const [table, setTable] = useState<Table>()
  const [isUnread, setUnread] = useState(false)
  const [isUpdating, setUpdating] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const w = editWords()
  useEffect(() => input.current?.focus(), [])

  async function open(file: File | undefined) {
    if (file === undefined) return
    const bytes = file.size > MOST_BYTES ? undefined : await file.arrayBuffer().catch(() => undefined)
    const read = bytes && (await tableFrom(bytes, schema).catch(() => undefined))
    const isFit = read?.columns.some((one) => one?.key === 'id') && read.rows.length <= MOST_ROWS
    setTable(isFit ? read : undefined)
    setUnread(!isFit)
  }

  if (run !== undefined)
    return <Result {...run} onUndo={takeSteps} onEnd={() => walk.reader.restart()} onDone={onDone} />
  return (
    <form
      class="action-form editor"
      onSubmit={(event) => {
        event.preventDefault()
        void start(table?.rows ?? [], (row) => bring(world, type, row, isUpdating))
      }}
    >
      <label>
        {w.file}{' '}
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt"
          onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
        />
      </label>
      <p class={isUnread ? 'wrong' : 'soft'} role={isUnread ? 'alert' : undefined}>
        {isUnread && w.unread} {w.fileHint}
      </p>
      {table && <Preview table={table} />}
      {table && (
        <label class="check">
          <input type="checkbox" checked={isUpdating} onChange={() => setUpdating(!isUpdating)} />
          {w.update}
        </label>
      )}
      <Buttons
        label={`${w.import}: ${count(table?.rows.filter(({ fault }) => fault === undefined).length ?? 0)}`}
        isBusy={!table?.rows.some(({ fault }) => fault === undefined)}
        onCancel={onDone}
      />
    </form>
  )
}

/** Writes one row. An entity that exists stays as it is unless `isUpdating`; then it keeps what has no cell in the row. */
async function bring(world: World, type: string, row: TableRow, isUpdating: boolean): Promise<Outcome> {
  const { id, content, fault, number } = row
  const step = { id, name: `${count(number)} ${id}`, from: undefined, to: content }
  if (fault !== undefined) return { step, fate: 'refused', reason: fault }
  const outcome = await takeStep(world, type, step)
  const theirs = outcome.fate === 'conflict' && (await present(world, { type, id }).catch(() => undefined))
  if (!theirs) return outcome
  const attributes = { ...Object(theirs.content['attributes']), ...Object(content['attributes']) }
  const to = { ...theirs.content, ...content, attributes }
  if (isSame(theirs.content, to)) return { step, fate: 'unchanged' }
  if (!isUpdating) return { step, fate: 'conflict', reason: editWords().idTaken }
  return takeStep(world, type, { ...step, from: theirs, to })
}

/** Numbers of rows, names of columns that do not fit, and the first rows as they will be written, with what is wrong. */
function Preview({ table: { columns, rows, ignored, missing } }: { table: Table }) {
  const w = editWords()
  const faulty = rows.filter(({ fault }) => fault !== undefined)
  const listed = [
    [w.missing, missing],
    [w.ignored, ignored],
  ] as const
  return (
    <>
      <p role="status">{`${w.rows}: ${count(rows.length)} · ${w.refused}: ${count(faulty.length)}`}</p>
      {listed.map(
        ([label, names]) =>
          names.length > 0 && (
            <p key={label}>
              {label}: <ShortText text={names.join(', ')} most={300} />
            </p>
          ),
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section class="scroller" tabIndex={0} aria-label={w.rows}>
        <table>
          <thead>
            <tr>
              <th scope="col">{w.rows}</th>
              {columns.map(
                (one, at) =>
                  one && (
                    <th key={at} scope="col">
                      <ShortText text={one.label} most={60} />
                    </th>
                  ),
              )}
            </tr>
          </thead>
          <tbody>
            {/* What is refused comes first. */}
            {[...faulty, ...rows.filter((one) => !faulty.includes(one))]
              .slice(0, SHOWN)
              .map(({ number, cells, fault }) => (
                <tr key={number}>
                  <th scope="row">
                    {count(number)}{' '}
                    {fault !== undefined && (
                      <span class="wrong">
                        <ShortText text={fault} />
                      </span>
                    )}
                  </th>
                  {cells.map(
                    (cell, at) =>
                      columns[at] && (
                        <td key={at}>
                          <ShortText text={cell.text} most={100} />
                        </td>
                      ),
                  )}
                </tr>
              ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
