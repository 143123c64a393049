import { eachChild, type Node } from './ast.ts';
import type { Edits } from './edits.ts';

/**
 * Writes JavaScript with the same behaviour around the initializers of an enum (numbers count on, numbers map back to names).
 * They stay where they are, and every line end does: what stands in them and behind keeps its place.
 */
export function writeEnum(node: Node, text: string, edits: Edits): void {
  const members = (node.members ?? node.body?.members ?? []) as Node[];
  const mentioned = new Set<string>();
  for (const member of members) if (member.initializer) collect(member.initializer as Node, mentioned);
  let code = `var ${node.id.name as string}=(($e,$p,$s)=>{$s=(k,v)=>($p=v,$e[k]=v,typeof v==='number'&&($e[v]=k),v);`;
  let at = node.start;
  const write = (to: number, last: string): void => {
    const lines = text.slice(at, to).match(/\r?\n/g) ?? [];
    edits.replace(at, to, code + last + lines.join(''));
  };
  members.forEach((member, i) => {
    const name = (member.id.name ?? member.id.value) as string;
    code += `${mentioned.has(name) ? `const ${name}=` : ''}$s(${JSON.stringify(name)},`;
    const value = member.initializer as Node | undefined;
    if (value) {
      write(value.start, '(');
      at = value.end;
      code = '));';
    } else code += i === 0 ? '0);' : '$p+1);';
  });
  write(node.end, 'return $e})({});');
}

function collect(node: Node, names: Set<string>): void {
  if (node.type === 'Identifier') names.add(node.name as string);
  if (node.type === 'MemberExpression') return collect(node.object as Node, names);
  eachChild(node, (child) => collect(child, names));
}
