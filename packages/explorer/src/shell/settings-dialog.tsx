/** Dialog for language, colours and keyboard shortcuts, opened by `?`. */
import { useEffect } from 'preact/hooks'
import { chosenLanguage, LANGUAGES, type Language, type Scheme, scheme } from '../navigation/settings.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FactList } from '../parts/fact-list.tsx'
import { Select } from '../parts/select.tsx'
import { words } from '../words/words.ts'

/** The settings dialog. It also handles the keyboard shortcuts of every page. */
export function SettingsDialog(props: { isOpen: boolean; onOpen: () => void; onClose: () => void }) {
  const { isOpen, onOpen, onClose } = props
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
    [['Ctrl', 'K'], keys.commands],
    [['↓', '↑'], keys.down],
    [['Enter'], keys.enter],
    [['Esc'], keys.escape],
    [['?'], keys.help],
  ]
  return (
    <Dialog title={app.settings} isOpen={isOpen} onClose={onClose}>
      <div class="settings">
        <Select<Language | 'auto'>
          class="form-row"
          isLarge
          label={app.language}
          chosen={chosenLanguage.value}
          choices={[['auto', app.auto], ...(Object.entries(LANGUAGES) as [Language, string][])]}
          onChoose={(value) => {
            chosenLanguage.value = value
          }}
        />
        <Select<Scheme>
          class="form-row"
          isLarge
          label={app.scheme}
          chosen={scheme.value}
          choices={[
            ['auto', app.auto],
            ['light', app.light],
            ['dark', app.dark],
          ]}
          onChoose={(value) => {
            scheme.value = value
          }}
        />
      </div>
      <h3>{keys.title}</h3>
      <FactList
        class="keys"
        facts={rows.map(([signs, text]) => [signs.map((sign) => <kbd key={sign}>{sign}</kbd>), text])}
      />
    </Dialog>
  )
}

/** Reports whether keys pressed in the target are text input rather than shortcuts. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
