/** Menu in which the user chooses and orders the columns of a table. */
import type { Field } from '@worldwright/extensions/shown'
import { IconButton } from '../parts/icon-button.tsx'
import { Menu } from '../parts/menu.tsx'
import { ShortText } from '../parts/text.tsx'
import { toggled } from '../parts/toggled.ts'
import { words } from '../words/words.ts'

/** Check boxes for all columns. The shown columns come first and can be moved. */
export function ColumnChooser(props: {
  shown: readonly Field[]
  available: readonly Field[]
  /** Called with the names of the shown columns in order, or with undefined to restore the default columns. */
  onColumns: (names: readonly string[] | undefined) => void
}) {
  const { shown, available, onColumns } = props
  const { views } = words.value
  const names = shown.map(({ name }) => name)
  const others = available.filter(({ name }) => !names.includes(name))

  function toggle(name: string) {
    const wanted = toggled(names, name)
    onColumns(wanted.length > 0 ? wanted : undefined)
  }

  function move(index: number, by: number) {
    const moved = names.toSpliced(index, 1)
    onColumns(moved.toSpliced(index + by, 0, names[index] ?? ''))
  }

  return (
    <Menu label={views.columns} asks>
      <ul>
        {[...shown, ...others].map(({ name, label }, index) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={index < names.length} onChange={() => toggle(name)} />
              <ShortText text={label} most={60} />
            </label>
            {index < names.length &&
              ([-1, 1] as const).map((by) => (
                <IconButton
                  key={by}
                  label={by < 0 ? views.earlier(label) : views.later(label)}
                  class="small"
                  disabled={names[index + by] === undefined}
                  onClick={() => move(index, by)}
                >
                  <span aria-hidden="true">{by < 0 ? '↑' : '↓'}</span>
                </IconButton>
              ))}
          </li>
        ))}
      </ul>
      <button type="button" class="link" onClick={() => onColumns(undefined)}>
        {views.columnsReset}
      </button>
    </Menu>
  )
}
