"""A GPT: blocks of causal attention and an MLP, each after a norm and added to what came in; the output is tied."""
from dataclasses import asdict, dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    vocabulary: int
    layers: int = 4
    heads: int = 4
    d_model: int = 128
    d_mlp: int = 384
    context: int = 64
    positions: str = "query_key"  # a table added to norm_1's rows for queries and keys; or "rope"; or "learned"
    rotary_base: float = 10000.0
    norm_epsilon: float = 1e-5

    def as_dict(self):
        return asdict(self)


def sinusoids(context, width, base=10000.0):
    """[context, width]: sine and cosine by turns, as in “Attention is all you need”."""
    angles = torch.arange(context)[:, None] * base ** (-torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(context, width)


def turn(x, cosines, sines):
    """RoPE (Su et al. 2021) on x [batch, heads, n, d]: pairs (i, i + d/2) turned by the angles of their position."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cosines - second * sines, second * cosines + first * sines], dim=-1)


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        d, h = config.d_model, config.d_mlp
        self.norm_1, self.norm_2 = nn.LayerNorm(d, config.norm_epsilon), nn.LayerNorm(d, config.norm_epsilon)
        self.query, self.key, self.value, self.out_proj = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.up, self.down = nn.Linear(d, h, bias=False), nn.Linear(h, d, bias=False)

    def forward(self, x, places, cosines, sines, later):
        attended, weights = self.attend(self.norm_1(x), places, cosines, sines, later)
        x = x + attended
        return x + self.down(F.gelu(self.up(self.norm_2(x)), approximate="tanh")), weights

    def attend(self, x, places, cosines, sines, later):
        """(context through out_proj [batch, n, d_model], weights [batch, heads, n, n])."""
        batch, n, d = x.shape
        heads = self.config.heads
        placed = x if places is None else x + places
        query, key, value = (F.linear(rows, matrix.weight).view(batch, n, heads, d // heads).transpose(1, 2)
                             for rows, matrix in ((placed, self.query), (placed, self.key), (x, self.value)))
        if cosines is not None:
            query, key = turn(query, cosines, sines), turn(key, cosines, sines)
        scores = query @ key.transpose(-1, -2) * (d // heads) ** -0.5
        weights = torch.softmax(scores + later, dim=-1)
        return self.out_proj((weights @ value).transpose(1, 2).reshape(batch, n, d)), weights


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embeddings = nn.Embedding(config.vocabulary, config.d_model)
        self.layers = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.final_norm = nn.LayerNorm(config.d_model, config.norm_epsilon)
        self.positions = None
        if config.positions != "rope":
            size = 1.0 if config.positions == "query_key" else 0.02  # as large as what it is added to
            self.positions = nn.Parameter(size * sinusoids(config.context, config.d_model))
        half = config.d_model // config.heads // 2
        angles = torch.arange(config.context)[:, None] * config.rotary_base ** (-torch.arange(half) / half)
        self.register_buffer("cosines", angles.cos(), persistent=False)
        self.register_buffer("sines", angles.sin(), persistent=False)
        later = torch.full((config.context, config.context), float("-inf")).triu(1)
        self.register_buffer("later", later, persistent=False)
        self._draw()

    def _draw(self):
        """Normal numbers; what is added to the residual stream starts smaller."""
        nn.init.normal_(self.embeddings.weight, std=0.02)
        for block in self.layers:
            for matrix in (block.query, block.key, block.value, block.up):
                nn.init.normal_(matrix.weight, std=matrix.in_features ** -0.5)
            for matrix in (block.out_proj, block.down):
                nn.init.normal_(matrix.weight, std=(2 * self.config.layers * matrix.in_features) ** -0.5)

    def forward(self, ids):
        """ids [batch, n] to (rows before the output [batch, n, d_model], weights: a list of [batch, heads, n, n])."""
        n, kind = ids.shape[1], self.config.positions
        x = F.embedding(ids, self.embeddings.weight)
        if kind == "learned":
            x = x + self.positions[:n]
        turns = (self.cosines[:n], self.sines[:n]) if kind == "rope" else (None, None)
        places = self.positions[:n] if kind == "query_key" else None
        weights = []
        for block in self.layers:
            x, of_block = block(x, places, *turns, self.later[:n, :n])
            weights.append(of_block)
        return self.final_norm(x), weights

    def logits(self, rows):
        return F.linear(rows, self.embeddings.weight)


class TiedLoss(torch.autograd.Function):
    """Mean cross-entropy of rows [n, d] against targets [n], through embeddings [v, d], in bfloat16 a few rows at
    a time, so that the logits stay in the cache; the gradients are taken at once. Targets of −1 do not count."""

    @staticmethod
    def forward(context, rows, embeddings, targets, chunk=256):
        counted = targets >= 0
        rows_low, embeddings_low = rows.detach()[counted].bfloat16(), embeddings.detach().bfloat16()
        wanted = targets[counted][:, None]
        count, loss = len(wanted), 0.0
        row_slopes, slopes = [], torch.zeros_like(embeddings)
        for at in range(0, count, chunk):
            some, right = rows_low[at:at + chunk], wanted[at:at + chunk]
            chances = torch.softmax(some @ embeddings_low.t(), dim=-1)
            chosen = chances.gather(1, right)
            loss -= chosen.float().clamp_min(1e-12).log().sum()
            chances.scatter_(1, right, chosen - 1)
            row_slopes.append(chances @ embeddings_low)
            slopes += chances.t() @ some
        row_slope = torch.zeros_like(rows)
        row_slope[counted] = torch.cat(row_slopes).float() / count
        context.save_for_backward(row_slope, slopes / count)
        return loss / count

    @staticmethod
    def backward(context, slope):
        row_slope, slopes = context.saved_tensors
        return slope * row_slope, slope * slopes, None, None
