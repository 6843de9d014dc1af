import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import type { MailTemplateText } from '../../../../src/catalogue/mails/schema.ts'
import { State } from '../../format.tsx'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace, type TextSearch } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { mailName, mailTexts as words } from '../../texts/of-mails.ts'
import { texts } from '../../texts/texts.ts'
import { Editor } from './Editor.tsx'
import { LANGUAGES, type MailLanguage } from './languages.ts'

/** The text of one mail in one language, which the address names, with how it is sent beside it. */
export function MailText() {
  const { path: base } = usePlace()
  const { template = '' } = useParams({ strict: false })
  const { language = 'en' } = useSearch({ strict: false }) as TextSearch
  const own = `${base}/mail_templates/${template}`
  const path = `${own}.json`
  const query = { language }
  const { data, error, refetch } = useQuery({
    queryKey: [path, query],
    queryFn: () => ask<MailTemplateText>(path, query),
  })
  return (
    <>
      <PageHead
        title={mailName(template)}
        about={<code>{template}</code>}
        state={
          data === undefined ? null : (
            <State word={data.is_own ? words.isOwn : words.builtIn} tone={data.is_own ? 'good' : 'plain'} />
          )
        }
      />
      <Languages chosen={language} />
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={8} />
      ) : (
        <Editor key={JSON.stringify(data)} text={data} own={own} />
      )}
      <ApiCall path={path} query={query} />
    </>
  )
}

function Languages({ chosen }: { readonly chosen: MailLanguage }) {
  const navigate = useNavigate()
  const show = (language: MailLanguage) =>
    void navigate({
      to: '.',
      search: (before: TextSearch) => ({ ...before, language: language === 'en' ? undefined : language }),
    })
  return (
    <div role="group" aria-label={texts.language} className="chips">
      {LANGUAGES.map((one) => (
        <button key={one} type="button" aria-pressed={one === chosen} onClick={() => show(one)}>
          {words.languages[one]}
        </button>
      ))}
    </div>
  )
}
