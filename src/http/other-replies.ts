import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Access } from '../access/roles.ts'
import type { Scope } from '../access/scope.ts'
import type { Answer } from './answer.ts'
import type { Frame } from './frame.ts'
import type { Limits } from './limits.ts'
import type { AnyOperation } from './operation.ts'
import type { Page } from './page.ts'
import type { Body } from './respond.ts'
import type { StoredDownload } from './send-file.ts'

/** Who opens a link, and what came with it. */
export interface Visit {
  /** Of the path, or else of the query; empty where there is none. */
  readonly token: string
  readonly ip: string
  readonly requestId: string
  /** Whether a browser shows what is answered, in the place of a program that reads it. */
  readonly isBrowser: boolean
  /** Whether a page of another site holds it in a frame, as the browser says. */
  readonly isFramed: boolean
  /** The fields of the form that was sent. */
  form(): Promise<object>
}

/**
 * A page behind a link, for whoever has it: it opens by GET, which changes nothing, so that scanners may follow it,
 * and acts by POST (`docs/decisions.md` 3.10).
 */
export interface PageOperation {
  readonly reply: 'page'
  readonly id: string
  /** With `{token}`, or with the token in the query. */
  readonly path: string
  /** What a link says that leads to nothing any more (404). */
  readonly whyGone: string
  /** Where another link is asked for in the place of one that leads to nothing any more; null: nowhere. */
  another?(ctx: Context, visit: Visit): { readonly to: string; readonly text: string } | null
  /** Its POST lets the browser in as somebody: no other site may send it there. */
  readonly isLogin?: true
  show(ctx: Context, visit: Visit): Promise<Page>
  /** Answers a page, another address (`elsewhere`), or JSON (`withHeaders`). */
  act(ctx: Context, visit: Visit, limits: Limits): Promise<Page | Answer<object>>
}

/** What a request for a file says, as it came. */
export interface Wanted {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
}

/** A file that stands at an address for whoever has that: one of the storage, or bytes with their headers. */
export interface FileOperation {
  readonly reply: 'file'
  readonly id: string
  readonly path: string
  handle(ctx: Context, wanted: Wanted): Promise<StoredDownload | Answer<Buffer>>
}

/** What lets a stream be read. */
export interface Permission {
  /** As of the beginning. */
  readonly scope: Scope
  /** As of this moment; null: the reader may read no more. */
  prove(): Promise<Scope | null>
}

/** An answer that goes on, under the prefix of each of its scopes, to who may read what it tells. */
export interface StreamOperation extends Pick<AnyOperation, 'id' | 'scopes'> {
  readonly reply: 'stream'
  readonly kind: 'read'
  readonly path: string
  readonly access: Access
  /** Of one process: what it counts is its own. */
  open(frame: Frame): (permission: Permission, reply: FastifyReply) => Promise<void>
}

/** Takes its request, and answers it, in the form of somebody else: a gateway, or clients that know no other. */
export interface ForeignOperation {
  readonly reply: 'foreign'
  readonly id: string
  readonly method: 'POST'
  readonly paths: readonly string[]
  handle(frame: Frame, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** What a browser asks for, as it came. */
export interface Asked extends Wanted {
  /** With the query, as it came. */
  readonly url: string
  /** Without the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** What a browser is sent. */
export interface WebReply {
  readonly status: number
  readonly body: Body
  /** Undefined leaves out what stands on every response (`EVERYWHERE`). */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** A 503 for what is about to be there, which is no fault. */
  readonly isSoon?: boolean
}

/** At once, or when it is there. */
export type Soon<T> = T | Promise<T>

/** A page of the front ends, or a file that it loads, for anybody. */
export interface WebOperation {
  readonly reply: 'web'
  readonly id: string
  readonly paths: readonly string[]
  /** At once where nothing has to be waited for: it costs half of what a promise does. */
  handle(ctx: Context, asked: Asked): Soon<WebReply>
  /** What `handle` would answer, where that is known by heart; null: it must be asked. */
  readonly kept?: (ctx: Context, asked: Pick<Asked, 'url' | 'headers'>) => WebReply | null
}

/** What is served beside the interface that the OpenAPI document describes. */
export type OtherOperation = PageOperation | FileOperation | StreamOperation | ForeignOperation | WebOperation

/** Whatever a module serves. */
export type Operation = AnyOperation | OtherOperation

/** Whether an operation is of the interface: its arguments have schemas, and it answers JSON or a document. */
export const isOfInterface = (op: Operation): op is AnyOperation => !('reply' in op)
export const isOther = (op: Operation): op is OtherOperation => 'reply' in op
