import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, type SubmitEvent } from 'react'
import type { Explanation } from '../../../../src/licensing/activation/explain-schema.ts'
import { Problem } from '../../../shared/call.ts'
import { NumberLink } from '../../links.tsx'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { faultIn } from '../../../ui/doing.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { usePlace, type ExplainSearch } from '../../place.ts'
import { send } from '../../../ui/server.ts'
import { explainTexts } from '../../texts/of-explain.ts'
import { texts } from '../../texts/texts.ts'
import { CheckFile } from '../licenses/CheckFile.tsx'
import { Checks } from './Checks.tsx'
import { Refusals } from './Refusals.tsx'

const FIELDS = ['license_key', 'uid', 'url', 'version'] as const
type Asked = Partial<Record<(typeof FIELDS)[number] | 'license_id', string>>

/** Says of every rule that a client meets what it answers; the license is named by its key, or came by the address. */
export function Explain() {
  const { path, environment } = usePlace()
  const { license, uid } = useSearch({ strict: false }) as ExplainSearch
  // What is asked has a key in it, which is kept nowhere.
  const asking = useMutation({
    gcTime: 0,
    mutationFn: (body: Asked) =>
      send<Explanation>({ method: 'POST', path: `${path}/licenses/explain.json`, body }),
  })
  const { mutate } = asking
  useEffect(() => {
    if (license !== undefined) mutate({ license_id: license, ...(uid !== undefined && { uid }) })
  }, [license, uid, mutate])
  const problem = asking.error instanceof Problem ? asking.error : null
  const faultOf = (field: string) => faultIn(problem, field)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = FIELDS.map((name) => [name, String(form.get(name) ?? '').trim()] as const)
    const told = Object.fromEntries(given.filter(([, value]) => value !== '')) as Asked
    const byId = told.license_key === undefined && license !== undefined
    mutate(byId ? { ...told, license_id: license } : told)
  }
  return (
    <>
      <PageHead title={explainTexts.explainTitle} about={explainTexts.explainAbout} actions={<CheckFile />} />
      <form className="panel explain" method="post" onSubmit={submit} noValidate>
        <Fields license={license} uid={uid} faultOf={faultOf} />
        <Button type="submit" loading={asking.isPending}>
          {texts.explainDo}
        </Button>
      </form>
      {problem && problem.details.length === 0 ? (
        <Failure error={problem} again={() => asking.variables && mutate(asking.variables)} />
      ) : null}
      {asking.isPending && asking.data === undefined ? <Loading lines={6} /> : null}
      {asking.data ? (
        <Checks explanation={asking.data} again={() => asking.variables && mutate(asking.variables)} />
      ) : null}
      <Refusals query={{ environment }} />
      <ApiCall path={`${path}/refusals.json`} query={{ environment }} />
    </>
  )
}

interface Given extends Pick<ExplainSearch, 'license' | 'uid'> {
  faultOf(field: string): string | undefined
}

function Fields({ license, uid, faultOf }: Given) {
  return (
    <>
      <TextInput
        name="license_key"
        label={texts.licenseKey}
        description={
          license === undefined ? (
            explainTexts.explainKey
          ) : (
            <>
              {explainTexts.explainKeyOr} <NumberLink kind="license" id={license} />
            </>
          )
        }
        error={faultOf('license_key')}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        name="uid"
        label={texts.uid}
        description={explainTexts.explainUid}
        defaultValue={uid ?? ''}
        error={faultOf('uid')}
      />
      <TextInput
        name="url"
        label={texts.siteAddress}
        description={explainTexts.explainUrl}
        error={faultOf('url')}
      />
      <TextInput
        name="version"
        label={texts.version}
        description={explainTexts.explainVersion}
        error={faultOf('version')}
      />
    </>
  )
}
