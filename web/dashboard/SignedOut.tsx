import { lazy, Suspense } from 'react'
import { useIsOver } from './signed-out.ts'

const SignInAgain = lazy(async () => ({
  default: (await import('./pages/sign-in/SignInAgain.tsx')).SignInAgain,
}))

/** Asks who was signed out while a page is open to sign in over it, so that nothing on it is lost. */
export function SignedOut() {
  if (!useIsOver()) return null
  return (
    <Suspense fallback={null}>
      <SignInAgain />
    </Suspense>
  )
}
