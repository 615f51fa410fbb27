import { STYLE } from '@worldwright/extensions/pages'

const SCRIPT = `const status = document.querySelector('[role=status]')
const files = document.querySelector('#files')
const say = (text) => { status.textContent = text }
const send = (file) => new Promise((done) => {
  if (file.size > Number(files.dataset.most)) return done(file.name + ' is too large to be sent. Name its path instead.')
  const request = new XMLHttpRequest()
  request.open('POST', '/setup/file?name=' + encodeURIComponent(file.name))
  request.upload.onprogress = ({ loaded, total }) => say('Sending ' + file.name + ': ' + Math.floor(100 * loaded / total) + ' %')
  request.onload = () => done(request.status === 200 ? '' : request.responseText)
  request.onerror = () => done(file.name + ' could not be sent. Look at the terminal.')
  request.send(file)
})
let isBusy = false
const sendAll = async (list) => {
  if (isBusy) return
  isBusy = true
  const wrong = []
  for (const file of list) wrong.push(await send(file))
  const text = wrong.filter(Boolean).join(' ')
  isBusy = !wrong.every(Boolean)
  if (!isBusy) return say(text)
  sessionStorage.said = text
  location.assign('/setup')
}
say(sessionStorage.said ?? '')
delete sessionStorage.said
files?.addEventListener('change', () => sendAll([...files.files]))
addEventListener('dragover', (event) => event.preventDefault())
addEventListener('drop', (event) => {
  event.preventDefault()
  if (files) sendAll([...event.dataTransfer.files])
})
addEventListener('pageshow', () => { isBusy = false })
addEventListener('submit', (event) => {
  // A second click would take the place of the answer to the first.
  if (isBusy) event.preventDefault()
  else say('Reading…')
  isBusy = true
})
const wait = async (left) => {
  const answer = await fetch('/setup', { cache: 'no-store' }).catch(() => undefined)
  if (answer && answer.status !== 200) location.replace('/')
  else if (left > 0) setTimeout(wait, 500, left - 1)
  else say('The world does not answer. Look at the terminal.')
}
if (document.querySelector('[data-published]')) wait(120)
`

const FORMS = `body{max-width:80rem}
form{margin:1rem 0}
label,legend{font-weight:600}
input,select,button{font:inherit;max-width:100%;color:inherit;background:var(--page);border:1px solid var(--soft);border-radius:.25rem;padding:.25rem .5rem}
table input{width:9rem}
table [type=checkbox]{width:auto}
fieldset :is(th,td){vertical-align:middle}
[value=publish]{font-weight:600;color:var(--page);background:var(--link);border-color:var(--link)}
fieldset{border:1px solid var(--line);margin:1rem 0;min-width:0}
.pair{display:inline-block;max-width:100%;vertical-align:top;margin:0 1rem .5rem 0}
.pair>*{display:block}
.wrong{font-weight:600;color:light-dark(#b3261e,#f2b8b5)}
`

/** Script and style sheet of the setup page, which its policy allows as files only: texts and media types by path. */
export const ASSETS: ReadonlyMap<string, readonly [text: string, type: string]> = new Map([
  ['/setup/setup.js', [SCRIPT, 'text/javascript']],
  ['/setup/setup.css', [STYLE + FORMS, 'text/css']],
])
