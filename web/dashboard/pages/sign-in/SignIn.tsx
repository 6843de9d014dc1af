import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { Problem } from '../../../shared/call.ts'
import { prefix } from '../../../ui/server.ts'
import { signIn } from '../../session.ts'
import { texts } from '../../texts/texts.ts'

/** Signs in by address and password, with a second factor where one is on, and goes on where the page was. */
export function SignIn() {
  const { back } = useSearch({ strict: false }) as { readonly back?: string }
  useEffect(() => {
    document.title = `${texts.signIn} · ${texts.keywright}`
  }, [])
  const { needsCode, problem, isBusy, enter } = useSignIn(back)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void enter(new FormData(event.currentTarget))
  }
  return (
    <main className="alone">
      <form className="sign-in" method="post" onSubmit={submit} noValidate>
        <h1>{texts.signIn}</h1>
        {back === undefined || problem ? null : <p className="muted">{texts.signedOut}</p>}
        {problem ? (
          <p className="note bad" role="alert">
            {wordsOf(problem)}
          </p>
        ) : null}
        <TextInput
          name="email"
          type="email"
          label={texts.email}
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
        />
        <PasswordInput
          name="password"
          label={texts.password}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': texts.showPassword }}
          required
          withAsterisk={false}
        />
        {needsCode ? <Code /> : null}
        <Checkbox name="stay" label={texts.stay} />
        <Button type="submit" loading={isBusy}>
          {texts.signIn}
        </Button>
        <p>
          <Link to="/forgotten">{texts.forgotten}</Link>
        </p>
      </form>
    </main>
  )
}

/** Signs in, and opens the page that was left, else the first one. */
function useSignIn(back: string | undefined) {
  const router = useRouter()
  const queries = useQueryClient()
  const [needsCode, setNeedsCode] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const enter = async (form: FormData) => {
    setBusy(true)
    setProblem(null)
    try {
      await signIn(credentialsIn(form))
      queries.clear()
      if (back === undefined) await router.navigate({ to: '/' })
      else router.history.push(`${prefix}/dashboard${back}`)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'two_factor_required') setNeedsCode(true)
      else setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return { needsCode, problem, isBusy, enter }
}

/** Has the focus when it is asked for. */
function Code() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <TextInput
      ref={field}
      name="code"
      label={texts.code}
      description={texts.codeHelp}
      autoComplete="one-time-code"
      required
      withAsterisk={false}
    />
  )
}

/** Digits are a code of the app; anything longer is a backup code. */
function credentialsIn(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '')
  const code = text('code').trim()
  const proof =
    code === '' ? {} : /^[\d ]{6,8}$/.test(code) ? { code: code.replaceAll(' ', '') } : { backup_code: code }
  return { email: text('email').trim(), password: text('password'), remember_me: form.has('stay'), ...proof }
}

function wordsOf({ code, message }: Problem): string {
  if (code === 'invalid_credentials') return texts.wrongCredentials
  if (code === 'two_factor_invalid') return texts.wrongCode
  return message
}
