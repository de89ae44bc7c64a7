import { headerFolders } from "/tmp/hD/packages/cuda/dist/cuda/headers.js";
import { currentFiles, decodeFileList, fingerprintOf } from "/tmp/hD/packages/cuda/dist/cuda/cache/file-list.js";
import { findNvcc, nvccBackend } from "/tmp/hD/packages/cuda/dist/cuda/nvcc.js";
import { decodeEntry } from "/tmp/hD/packages/cuda/dist/cache/entry.js";
import { cudaKey } from "/tmp/hD/packages/cuda/dist/cuda/cache/key.js";
import { readdirSync, readFileSync, statSync } from "node:fs";
const b = nvccBackend(findNvcc());
const best=(n,f)=>{let m=1e9,first; for(let i=0;i<60;i++){const t=performance.now(); f(); const d=performance.now()-t; first??=d; m=Math.min(m,d);} console.log(n, "first",first.toFixed(3),"best",m.toFixed(3));};
best("surroundings",()=>b.surroundings());
best("headerFolders",()=>headerFolders(b.path));
best("key",()=>cudaKey(b,"x",{arch:"sm_80"}));
const files=readdirSync("/tmp/nvi/fresh",{recursive:true}).filter(x=>x.endsWith(".headers"));
for (const f of files){ const bytes=readFileSync("/tmp/nvi/fresh/"+f); const key=f.replace("/","").replace(".headers",""); const e=decodeEntry(key,bytes,"headers"); const l=decodeFileList(e.output); console.log(l.files.length,l.folders.length, l.folders.reduce((n,x)=>n+x.without.length,0), bytes.length);
best(" decodeEntry",()=>decodeEntry(key,bytes,"headers")); best(" decodeList",()=>decodeFileList(e.output)); best(" current",()=>currentFiles(l)); best(" fingerprint",()=>fingerprintOf(l)); const p=l.files.map(x=>x.path); best(" stats only",()=>p.forEach(x=>statSync(x)));}
