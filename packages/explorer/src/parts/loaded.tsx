/** Components that are loaded on first use. */
import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../words/words.ts'

/** Returns a component that `load` loads on first use. It renders nothing before that, or if loading fails. */
export function loaded<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  return fetched(load, () => null)
}

/** Like `loaded`, for components that a page cannot do without: renders a message if loading fails. */
export function needed<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  return fetched(load, () => (
    <p class="note" role="alert">
      {words.value.views.notLoaded}
    </p>
  ))
}

/** Like `loaded`, but renders `Missing` if loading fails. */
export function fetched<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  Missing: FunctionComponent<Props>,
): FunctionComponent<Props> {
  let known: FunctionComponent<Props> | undefined
  return (props) => {
    const [isMissing, setMissing] = useState(false)
    const [, draw] = useState(0)
    const Component = known
    useEffect(() => {
      // Another instance may have loaded it since this one was drawn, so `known` does not say what is on the page.
      if (Component !== undefined) return
      load().then(
        (component) => {
          known = component
          draw(1)
        },
        () => setMissing(true),
      )
    }, [])
    if (Component !== undefined) return <Component {...props} />
    return isMissing ? <Missing {...props} /> : null
  }
}
