import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { prefix } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'
import { SignInForm } from './SignInForm.tsx'

/** Signs in, and opens the page that was left, else the first one. */
export function SignIn() {
  const { back } = useSearch({ strict: false }) as { readonly back?: string }
  const router = useRouter()
  const queries = useQueryClient()
  useEffect(() => {
    document.title = `${texts.signIn} · ${texts.keywright}`
  }, [])
  const goBack = async () => {
    queries.clear()
    if (back === undefined) await router.navigate({ to: '/' })
    else router.history.push(`${prefix}/dashboard${back}`)
  }
  return (
    <main className="alone">
      <div className="sign-in">
        <h1>{texts.signIn}</h1>
        <SignInForm note={back === undefined ? null : texts.signedOut} entered={goBack}>
          <p>
            <Link to="/forgotten">{texts.forgotten}</Link>
          </p>
        </SignInForm>
      </div>
    </main>
  )
}
