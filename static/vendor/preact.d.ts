// What the page uses of Preact.
export interface VNode {}
export type Component<P> = (props: P) => VNode | VNode[] | string | null;
export function h(type: string | Component<any>, props: object | null, ...children: unknown[]): VNode;
export function render(node: unknown, into: Element): void;
export const Fragment: Component<{ children?: unknown }>;
