/** Form in which the user names members of a world that the client does not recognise. */
import { NAMEABLE } from '@worldwright/client/foreign'
import { useId, useState } from 'preact/hooks'
import { words } from '../words/words.ts'
import { namesOf, renameWorld } from '../world/worlds.ts'

/** Form for the member paths of the world at `origin`. Submitting it stores the paths and reconnects to the world. */
export function NamesForm({ origin }: { origin: string }) {
  const [names, setNames] = useState<Readonly<Record<string, string>>>(() => textsOf(namesOf(origin)))
  const id = useId()
  const { names: w } = words.value

  function use(event: SubmitEvent) {
    event.preventDefault()
    renameWorld(origin, textsOf(names))
  }

  return (
    <form class="action-form names-form" onSubmit={use} noValidate>
      <p class="soft">{w.text}</p>
      {NAMEABLE.map((name) => (
        <div key={name} class="form-row">
          <label for={`${id}-${name}`}>{w.fields[name]}</label>
          <input
            id={`${id}-${name}`}
            class="field"
            type="text"
            dir="ltr"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={names[name] ?? ''}
            onInput={(event) => setNames({ ...names, [name]: event.currentTarget.value })}
          />
        </div>
      ))}
      <div class="row">
        <button type="submit" class="button primary">
          {w.use}
        </button>
        <button type="button" class="button" onClick={() => renameWorld(origin, {})}>
          {w.forget}
        </button>
      </div>
    </form>
  )
}

function textsOf(names: object): Record<string, string> {
  const texts = Object.entries(names).map(([name, path]) => [name, String(path).trim()])
  return Object.fromEntries(texts.filter(([, path]) => path !== ''))
}
