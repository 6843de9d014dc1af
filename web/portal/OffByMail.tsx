import { AskByMail } from './Help.tsx'
import { useVisit } from './session.ts'

/** How a buyer asks for what is about the person, and every product has switched off: at whichever has an address. */
export function OffByMail({ text }: { readonly text: string }) {
  const { products } = useVisit()
  const emails = products.map(({ look }) => look.support_email)
  return <AskByMail text={text} email={emails.find((email) => email !== null) ?? null} />
}
