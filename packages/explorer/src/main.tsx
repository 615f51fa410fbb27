/** Starts the page. */
import { render } from 'preact'
import { startNavigation } from './navigation/navigation.ts'
import { startSettings } from './navigation/settings.ts'
import { App } from './shell/app.tsx'
import { startWords } from './words/words.ts'
import './styles/base.css'
import './styles/parts.css'
import './styles/pages.css'
import './styles/ask.css'

const root = document.getElementById('app')
if (root !== null) {
  startSettings()
  startNavigation()
  startWords().then(() => render(<App />, root))
}
