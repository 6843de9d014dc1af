import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Import } from '../../../../src/imports/asked/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Loading } from '../../../ui/parts.tsx'
import { ask } from '../../../ui/server.ts'
import { Allowed } from '../../Allowed.tsx'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { importTexts } from '../../texts/imports.ts'
import { wayToImport } from '../../ways.ts'
import { DataForm } from './DataForm.tsx'
import { SOURCES } from './sources.ts'
import { Steps } from './Steps.tsx'
import { wordsOfSource } from './words.ts'

type Source = (typeof SOURCES)[number]

/** What says whether another import of the account is under way. */
const UNDER_WAY = { fields: 'id,is_at_work' } as const

/** The first steps of an import: where it comes from, and what is to be read. */
export function NewImport() {
  const { accountPath } = usePlace()
  const [chosen, setChosen] = useState<Source | null>(null)
  return (
    <>
      <PageHead
        title={importTexts.newImport}
        about={chosen ? importTexts.lookMore : importTexts.chooseAbout}
      />
      <Steps at={chosen ? 1 : 0} />
      {chosen ? <DataForm source={chosen} back={() => setChosen(null)} /> : <Choosing choose={setChosen} />}
      <ApiCall path={`${accountPath}/imports.json`} query={UNDER_WAY} />
    </>
  )
}

/** What may be chosen, while no other import of the account is under way. */
function Choosing({ choose }: { readonly choose: (source: Source) => void }) {
  const { accountPath } = usePlace()
  const path = `${accountPath}/imports.json`
  const { data, error, refetch } = useQuery({
    queryKey: [path, 'under way'],
    queryFn: () => ask<{ readonly imports: readonly Import[] }>(path, UNDER_WAY),
    staleTime: 0,
  })
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading />
  const underWay = data.imports.find(({ is_at_work: isAtWork }) => isAtWork)
  if (underWay) return <UnderWay id={underWay.id} />
  return (
    <section className="stack">
      <h2>{importTexts.choose}</h2>
      <div className="cards">
        {SOURCES.map((source) => (
          <Card key={source.name} source={source} choose={() => choose(source)} />
        ))}
      </div>
    </section>
  )
}

function UnderWay({ id }: { readonly id: string }) {
  const { account } = usePlace()
  const [before = '', after = ''] = importTexts.underWay.split('{import}')
  return (
    <p className="panel card">
      {before}
      <Link {...wayToImport(account.developer_id, id)}>{fill(importTexts.title, { id })}</Link>
      {after}
    </p>
  )
}

function Card({ source: { name }, choose }: { readonly source: Source; readonly choose: () => void }) {
  const [title, more, take] = wordsOfSource(name) ?? [name, '', name]
  return (
    <section className="panel card stack">
      <h3>{title}</h3>
      <p className="muted">{more}</p>
      <div>
        <Allowed group="tokens">
          {(barred) => (
            <Button {...barred} variant="default" onClick={choose}>
              {take}
            </Button>
          )}
        </Allowed>
      </div>
    </section>
  )
}
