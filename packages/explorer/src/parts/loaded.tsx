/** Parts of the page that are fetched when they are first needed. */
import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../words/words.ts'

/** A component that is fetched by `load` with its first use; nothing is shown until it is there, or where it never comes. */
export function loaded<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  return fetched(load, () => null)
}

/** As `loaded`, of what the page cannot do without: where it never comes, that is said. */
export function needed<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  return fetched(load, () => (
    <p class="note" role="alert">
      {words.value.views.notLoaded}
    </p>
  ))
}

function fetched<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  Missing: FunctionComponent,
): FunctionComponent<Props> {
  let known: FunctionComponent<Props> | undefined
  return (props) => {
    const [isMissing, setMissing] = useState(false)
    const [, draw] = useState(0)
    useEffect(() => {
      if (known !== undefined) return
      load().then(
        (component) => {
          known = component
          draw(1)
        },
        () => setMissing(true),
      )
    }, [])
    const Component = known
    if (Component !== undefined) return <Component {...props} />
    return isMissing ? <Missing /> : null
  }
}
