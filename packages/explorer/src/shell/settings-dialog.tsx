/** Language, colours, and what the keys do: one dialog, opened with `?`. */
import { useEffect, useId } from 'preact/hooks'
import { chosenLanguage, LANGUAGES, type Language, type Scheme, scheme } from '../navigation/settings.ts'
import { Dialog } from '../parts/dialog.tsx'
import { words } from '../words/words.ts'

/** The dialog, and the keys that work anywhere. */
export function SettingsDialog({
  isOpen,
  onOpen,
  onClose,
}: {
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}) {
  const { app, keys } = words.value

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target))
        return
      const search = document.getElementById('search')
      if (event.key === '/' && search !== null && !isOpen) {
        event.preventDefault()
        search.focus()
      } else if (event.key === '?') {
        event.preventDefault()
        if (isOpen) onClose()
        else onOpen()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen])

  const rows: [string[], string][] = [
    [['/'], keys.search],
    [['↓', '↑'], keys.down],
    [['Enter'], keys.enter],
    [['Esc'], keys.escape],
    [['?'], keys.help],
  ]
  return (
    <Dialog title={app.settings} isOpen={isOpen} onClose={onClose}>
      <div class="settings">
        <Choice<Language | 'auto'>
          label={app.language}
          value={chosenLanguage.value}
          choices={[['auto', app.auto], ...(Object.entries(LANGUAGES) as [Language, string][])]}
          onChoice={(value) => {
            chosenLanguage.value = value
          }}
        />
        <Choice<Scheme>
          label={app.scheme}
          value={scheme.value}
          choices={[
            ['auto', app.auto],
            ['light', app.light],
            ['dark', app.dark],
          ]}
          onChoice={(value) => {
            scheme.value = value
          }}
        />
      </div>
      <h3>{keys.title}</h3>
      <dl class="keys">
        {rows.map(([signs, text]) => (
          <div key={text}>
            <dt>
              {signs.map((sign) => (
                <kbd key={sign}>{sign}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function Choice<T extends string>(props: {
  label: string
  value: T
  choices: readonly (readonly [T, string])[]
  onChoice: (value: T) => void
}) {
  const { label, value, choices, onChoice } = props
  const id = useId()
  return (
    <div class="form-row">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="field"
        value={value}
        onChange={(event) => onChoice(event.currentTarget.value as T)}
      >
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Keys that are being written are no commands. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
